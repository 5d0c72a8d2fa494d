"""What Schemathesis is told besides openapi.json, so that it finds its way behind the first refusal."""

import string
from copy import deepcopy
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.failures import AcceptedNegativeData, Failure

FASTA = r"^(>[A-Za-z0-9|_ ]{0,40}\n)?[ACDEFGHIKLMNPQRSTVWYXacdefgh*]{1,120}\n?$"
LONGEST_ADDRESS = 65_535
NUMBERS = ("alignments", "evalue", "gap_extend", "gap_open", "max_target_seqs", "min_bits", "min_identity",
           "min_query_coverage", "score_distribution")  # fmt: skip
RAW = ("text/x-fasta", "text/plain")
BESIDE = st.fixed_dictionaries(
    {"database": st.just("demo")},
    optional={
        "evalue": st.floats().map(str),
        "max_target_seqs": st.integers().map(str),
        "statistics": st.sampled_from(["table", "karlin-altschul", "fitted", "none", ""]),
        "gap_open": st.text(string.digits, max_size=6),
    },
)
"""Fields beside a body of raw FASTA, which the description names in words alone."""

MEDIA_RANGES = ("*/*", "application/json", "text/*;q=0.5", "text/html", "application/xml;q=1.000", "image/png", ";q=")
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "Accept": st.lists(st.sampled_from(MEDIA_RANGES), max_size=4).map(",".join),
        "Accept-Encoding": st.sampled_from(["gzip", "gzip;q=0", "*;q=0.1", "br", "identity", "gzip;q=2", ",,", ""]),
        "Content-Encoding": st.sampled_from(["identity", "gzip", "br"]),
        "Range": st.sampled_from(["bytes=0-0", "bytes=-1", "bytes=9-1", "rows=1-2"]),
        "X-Request-ID": st.text(string.printable.strip(), min_size=1, max_size=80),
        "Cookie": st.text(string.ascii_letters + '=;"', max_size=60),
    },
)


@schemathesis.hook
def before_load_schema(_: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Name the database that there is and the letters that there are; describe events as OpenAPI 3.1 can."""
    schemas = raw_schema["components"]["schemas"]
    # What was asked for goes out as it came.
    schemas["SearchAsked"] = deepcopy(schemas["SearchRequest"])
    asked = raw_schema["paths"]["/v1/searches/{search}/request"]["get"]["responses"]["200"]["content"]
    asked["application/json"]["schema"]["$ref"] = "#/components/schemas/SearchAsked"
    for name in ("SearchRequest", "SearchForm", "SearchUpload"):
        fields = schemas[name]["properties"]
        fields["database"]["enum"] = ["demo"]
        if name != "SearchUpload":
            fields["sequence"]["pattern"] = FASTA
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            bodies = operation.get("requestBody", {}).get("content", {})
            if "text/x-fasta" in bodies:
                bodies["text/x-fasta"]["schema"] = bodies["text/plain"]["schema"] = {"type": "string", "pattern": FASTA}
            # Schemathesis would hold each event against the text's own schema.
            operation["responses"].get("200", {}).get("content", {}).get("text/event-stream", {}).pop("schema", None)


@schemathesis.hook
def before_generate_case(_: schemathesis.HookContext, strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Send headers that no operation describes, and fields beside raw FASTA."""
    return st.tuples(strategy, HEADERS, BESIDE).map(_dressed)


def _dressed(drawn: tuple[Any, dict[str, str], dict[str, str]]) -> Any:
    case, headers, beside = drawn
    for name, value in headers.items():
        case.headers.setdefault(name, value)
    if case.media_type in RAW:
        case.query = {**beside, **(case.query or {})}
    return case


@schemathesis.hook
def filter_failure(
    _: schemathesis.HookContext, failure: Failure, case: schemathesis.Case, response: schemathesis.Response
) -> bool:
    """Drop what is no failure: any words are a text or a list of one, and numbers may come as text.

    An address that is too long ends where HTTP is read, before there is a reply of ours.
    """
    if len(response.request.url or "") > LONGEST_ADDRESS:
        return False
    message = str(failure.message)
    untyped = case.media_type in RAW or "parameter `id` in query" in message
    # The pattern is ours (above), and narrower than what is read.
    fasta = "violates `pattern`" in message and "/properties/sequence" in message
    texts = isinstance(case.body, dict) and any(isinstance(case.body.get(name), str) for name in NUMBERS)
    return not (isinstance(failure, AcceptedNegativeData) and (untyped or fasta or texts))


@schemathesis.check
def every_error_is_a_problem(_: Any, response: schemathesis.Response, case: Any) -> None:
    """An error is a problem document with this reply's id, and names no method that the path has not."""
    assert response.headers.get("x-request-id"), f"no X-Request-ID: {response.text[:100]}"
    if response.status_code >= 400 and case.method != "HEAD":
        assert response.headers["content-type"] == ["application/problem+json"], response.headers["content-type"]
        body = response.json()
        assert body["status"] == response.status_code
        assert body["request_id"] == response.headers["x-request-id"][0]
