"""Names of downloaded files: telling."""

from app.responses.file_names import file_name


def test_a_name_has_the_title_or_else_the_id_and_the_query() -> None:
    assert file_name("Four queries", "abc") == "Four_queries"
    assert file_name("", "abc") == "abc"
    assert file_name("酵素", "abc", "2_sp|P00517|X") == "abc.2_sp_P00517_X"
    assert file_name("Four queries", "abc", "2_q", selected=True) == "Four_queries.2_q.selected"
