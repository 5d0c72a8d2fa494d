"""The formats of pairs have the same names everywhere: the list in shardwater/formats/pairs/names.py."""

import json
import re
from pathlib import Path
from typing import get_args

from app.responses.alignment_results import CONTENT, MEDIA_TYPES
from shardwater.formats.pairs.names import PAIR_FORMATS
from shardwater.formats.pairs.writers import WRITERS
from shardwater_client.generated.models.pair_format import PairFormat

ROOT = Path(__file__).parents[3]


def between(document: str, start: str, end: str) -> str:
    """A piece of a document, without its start and its end."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return text.partition(start)[2].partition(end)[0]


def test_each_has_a_writer_a_media_type_and_a_description() -> None:
    assert tuple(WRITERS) == tuple(MEDIA_TYPES) == PAIR_FORMATS
    assert set(CONTENT) == set(PAIR_FORMATS)


def test_clients_know_each() -> None:
    described = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))
    assert tuple(described["components"]["schemas"]["PairFormat"]["enum"]) == PAIR_FORMATS
    assert set(get_args(PairFormat)) == set(PAIR_FORMATS)


def test_manuals_name_each() -> None:
    table = between("docs/pairs.md", "\n| `-outfmt` | what |", "\n\n")
    assert sorted(re.findall(r"^\| `(\w+)` ", table, re.MULTILINE)) == sorted(PAIR_FORMATS)
    sentence = between("docs/api.md", "`GET /v1/alignments/{alignment}/results` has `format`: ", ", as [pairs]")
    assert sorted(re.findall(r"`(\w+)`", sentence.replace("`columns`", ""))) == sorted(PAIR_FORMATS)
