"""The demo's proteins and queries."""

from pathlib import Path

DEMO = Path(__file__).parents[2] / "demo"
