import json

import pytest

from shardwater.msa.provenance import Provenance
from tests.support.msas import PROVENANCE


def test_all_of_it_is_read_back():
    assert Provenance.from_json(json.loads(json.dumps(PROVENANCE.as_json()))) == PROVENANCE


def test_the_brief_form_is_one_line_of_ascii_without_shards():
    text = PROVENANCE.brief()
    assert text.isascii()
    assert text.isprintable()
    found = Provenance.from_json(json.loads(text))
    assert [each.database for each in found.sources] == [each.database for each in PROVENANCE.sources]
    assert [each.certificate.cells for each in found.sources] == [34560, 6000]
    assert found.sources[0].certificate.shards == ()


@pytest.mark.parametrize(
    "value",
    [
        *(None, [], {}, {"software": {}}, {"software": None, "databases": []}),
        {"software": {"version": "1", "commit": "c"}, "databases": 5},
        {"software": {"version": "1", "commit": "c"}, "databases": [5]},
        {
            "software": {"version": "1", "commit": "c"},
            "databases": [{"name": "n", "version": "v", "checksum": "c", "certificate": 5}],
        },
        {
            "software": {"version": "1", "commit": "c"},
            "databases": [{"name": "n", "version": "v", "checksum": "c", "certificate": {"exact": True}}],
        },
    ],
)
def test_anything_else_is_refused(value):
    with pytest.raises(ValueError, match="does not say which databases"):
        Provenance.from_json(value)
