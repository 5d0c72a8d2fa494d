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
    assert found.databases == PROVENANCE.databases
    assert (found.certificate.cells, found.certificate.shards) == (40560, ())


WHOLE = PROVENANCE.as_json()


@pytest.mark.parametrize(
    "value",
    [
        *(None, [], {}, {"software": {}}, {"software": None, "databases": []}),
        *({**WHOLE, "databases": wrong} for wrong in (5, [5], [{"name": "n"}])),
        *(
            {**WHOLE, "certificate": wrong}
            for wrong in (5, None, {"exact": True}, {**WHOLE["certificate"], "shards": 5})
        ),
    ],
)
def test_anything_else_is_refused(value):
    with pytest.raises(ValueError, match="does not say which databases"):
        Provenance.from_json(value)
