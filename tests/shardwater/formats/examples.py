"""tests.support.example_results under its former name, for tests/worker/jobs/results."""

from tests.support.example_results import ALIGNED, FOUND, NOTHING, QUERY, STATISTICS, STRANGE, result_of

__all__ = ["ALIGNED", "FOUND", "NOTHING", "QUERY", "STATISTICS", "STRANGE", "result_of"]
