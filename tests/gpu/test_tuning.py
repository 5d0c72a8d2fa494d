"""What was measured on a device: read from its file, and written without a loss of what stands there by hand."""

import pytest

from gpu.score.strips import launch
from gpu.tuning import MEASURED, Launch, parse, path_of, tuning, with_strips

TEXT = path_of(MEASURED).read_text(encoding="utf-8")


def test_device_without_a_file_takes_the_numbers_of_the_measured_one_and_default_launches():
    assert not path_of(80).is_file()
    assert tuning(80).long_cost == tuning(MEASURED).long_cost
    assert tuning(80).strips == {}
    assert launch(80, 17, border=False) == Launch()


def test_same_tables_give_the_same_file():
    assert with_strips(TEXT, tuning(MEASURED).strips) == TEXT


def test_new_tables_leave_numbers_and_their_comments():
    strips = {"single_8": {3: Launch(640, 4, "-O1", 5.5)}}
    text = with_strips(TEXT, strips)
    assert parse(text).strips == strips
    assert parse(text).side_cost == tuning(MEASURED).side_cost
    assert text.startswith(TEXT.partition("\n[")[0])


def test_number_that_nothing_asks_for_is_refused():
    with pytest.raises(TypeError, match="twice_as_fast"):
        parse("twice_as_fast = true\n" + TEXT)
