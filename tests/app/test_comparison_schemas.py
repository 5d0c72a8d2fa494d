"""The shapes of comparisons over HTTP are those that the library writes and the worker makes."""

from dataclasses import fields

from app.comparison_schemas import ComparisonCertificate, GenomeHsp
from shardwater.formats.genomes.members import MEMBERS
from worker.kinds import comparison


def test_members_of_an_hsp_are_those_that_are_written() -> None:
    assert tuple(GenomeHsp.model_fields) == MEMBERS
    assert GenomeHsp.model_json_schema()["required"] == list(MEMBERS)


def test_members_of_a_certificate_are_those_that_are_made() -> None:
    assert list(ComparisonCertificate.model_fields) == [each.name for each in fields(comparison.ComparisonCertificate)]
