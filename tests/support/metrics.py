"""Prometheus's text, read by Prometheus's own reader."""

from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample


def samples(text: str) -> list[Sample]:
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


def value(text: str, name: str, /, **labels: str) -> float:
    """The sum of the samples that have these labels."""
    found = [
        sample.value for sample in samples(text) if sample.name == name and labels.items() <= sample.labels.items()
    ]
    return sum(found)
