"""The committed description of the interface: up to date, with our names and our errors, and whole."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.main import create_app
from app.middleware.http_protocol import HEAD_S, LARGEST_HEAD, MOST_HEADERS
from app.middleware.request_limits import BODY_S, UPLOAD_S
from app.openapi import openapi_text
from worker.settings import Settings

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "openapi" / "openapi.json").read_text())
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in SCHEMA["paths"].items()
    for method, operation in methods.items()
}
DOCUMENTED = {
    "create_search": ("POST", "/v1/searches"),
    "list_searches": ("GET", "/v1/searches"),
    "get_search": ("GET", "/v1/searches/{search}"),
    "estimate_search": ("POST", "/v1/searches:estimate"),
    "stream_events": ("GET", "/v1/searches/{search}/events"),
    "get_search_request": ("GET", "/v1/searches/{search}/request"),
    "get_results": ("GET", "/v1/searches/{search}/results"),
    "get_scores": ("GET", "/v1/searches/{search}/scores"),
    "get_taxa": ("GET", "/v1/searches/{search}/taxa"),
    "get_hits_figure": ("GET", "/v1/searches/{search}/figures/hits.svg"),
    "get_scores_figure": ("GET", "/v1/searches/{search}/figures/scores.svg"),
    "get_hit_alignment_figure": ("GET", "/v1/searches/{search}/figures/alignment.svg"),
    "get_pssm": ("GET", "/v1/searches/{search}/pssm"),
    "verify_search": ("POST", "/v1/searches/{search}:verify"),
    "get_verification": ("GET", "/v1/verifications/{verification}"),
    "cancel_verification": ("POST", "/v1/verifications/{verification}:cancel"),
    "delete_verification": ("DELETE", "/v1/verifications/{verification}"),
    "cancel_search": ("POST", "/v1/searches/{search}:cancel"),
    "delete_search": ("DELETE", "/v1/searches/{search}"),
    "create_alignment": ("POST", "/v1/alignments"),
    "estimate_alignment": ("POST", "/v1/alignments:estimate"),
    "list_alignments": ("GET", "/v1/alignments"),
    "get_alignment": ("GET", "/v1/alignments/{alignment}"),
    "get_alignment_results": ("GET", "/v1/alignments/{alignment}/results"),
    "get_pair_figure": ("GET", "/v1/alignments/{alignment}/figures/alignment.svg"),
    "stream_alignment_events": ("GET", "/v1/alignments/{alignment}/events"),
    "cancel_alignment": ("POST", "/v1/alignments/{alignment}:cancel"),
    "delete_alignment": ("DELETE", "/v1/alignments/{alignment}"),
    "create_comparison": ("POST", "/v1/comparisons"),
    "estimate_comparison": ("POST", "/v1/comparisons:estimate"),
    "list_comparisons": ("GET", "/v1/comparisons"),
    "get_comparison": ("GET", "/v1/comparisons/{comparison}"),
    "get_comparison_results": ("GET", "/v1/comparisons/{comparison}/results"),
    "get_comparison_records": ("GET", "/v1/comparisons/{comparison}/records"),
    "get_dotplot_svg": ("GET", "/v1/comparisons/{comparison}/figures/dotplot.svg"),
    "get_dotplot_png": ("GET", "/v1/comparisons/{comparison}/figures/dotplot.png"),
    "stream_comparison_events": ("GET", "/v1/comparisons/{comparison}/events"),
    "align_stretches": ("POST", "/v1/comparisons/{comparison}:align"),
    "cancel_comparison": ("POST", "/v1/comparisons/{comparison}:cancel"),
    "delete_comparison": ("DELETE", "/v1/comparisons/{comparison}"),
    "create_msas": ("POST", "/v1/msas"),
    "estimate_msas": ("POST", "/v1/msas:estimate"),
    "list_msas": ("GET", "/v1/msas"),
    "get_msas": ("GET", "/v1/msas/{msas}"),
    "get_msa_results": ("GET", "/v1/msas/{msas}/results"),
    "get_msa_columns": ("GET", "/v1/msas/{msas}/columns"),
    "get_msa_rows_figure": ("GET", "/v1/msas/{msas}/figures/rows.svg"),
    "get_msa_conservation_figure": ("GET", "/v1/msas/{msas}/figures/conservation.svg"),
    "stream_msas_events": ("GET", "/v1/msas/{msas}/events"),
    "cancel_msas": ("POST", "/v1/msas/{msas}:cancel"),
    "delete_msas": ("DELETE", "/v1/msas/{msas}"),
    "create_upload": ("POST", "/v1/uploads"),
    "list_uploads": ("GET", "/v1/uploads"),
    "get_upload": ("GET", "/v1/uploads/{upload}"),
    "delete_upload": ("DELETE", "/v1/uploads/{upload}"),
    "create_matrix": ("POST", "/v1/matrices"),
    "get_matrix": ("GET", "/v1/matrices/{matrix}"),
    "delete_matrix": ("DELETE", "/v1/matrices/{matrix}"),
    "list_databases": ("GET", "/v1/databases"),
    "get_database": ("GET", "/v1/databases/{name}"),
    "list_sequences": ("GET", "/v1/databases/{name}/sequences"),
    "get_sequence": ("GET", "/v1/databases/{name}/sequences/{accession}"),
    "batch_get_sequences": ("POST", "/v1/databases/{name}/sequences:batchGet"),
    "get_parameters": ("GET", "/v1/parameters"),
    "get_service_info": ("GET", "/v1/service-info"),
    "list_workers": ("GET", "/v1/workers"),
    "get_health": ("GET", "/healthz"),
    "get_readiness": ("GET", "/readyz"),
}


def everything(node: object) -> Iterator[dict[str, Any]]:
    """Every object inside a JSON value."""
    if isinstance(node, dict):
        yield node
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from everything(child)


def test_committed_description_is_that_of_the_app() -> None:
    assert (ROOT / "openapi" / "openapi.json").read_text() == openapi_text(), "run: make openapi"


@pytest.mark.parametrize("live", [True, False])
def test_json_is_first_but_of_msas(live: bool) -> None:
    """Generators of clients take the first; MSAs come as A3M where nothing else is asked for."""
    description = create_app(Settings()).openapi() if live else SCHEMA
    operations = [each for path in description["paths"].values() for each in path.values()]
    replies = {
        (operation["operationId"], status): reply["content"]
        for operation in operations
        for status, reply in operation["responses"].items()
        if status < "300" and "application/json" in reply.get("content", ())
    }
    assert len(replies) > 12
    others = {
        name: next(iter(content)) for name, content in replies.items() if next(iter(content)) != "application/json"
    }
    assert others == {("create_msas", "200"): "text/x-a3m", ("get_msa_results", "200"): "text/x-a3m"}
    for name in others:
        assert replies[name]["application/json"]["schema"] == {"type": "object"}
    result = replies["create_search", "200"]
    assert result["application/json"]["schema"] == {"$ref": "#/components/schemas/SearchResult"}


def test_operations_are_the_documented_ones() -> None:
    assert {name: (method, path) for name, (method, path, _) in OPERATIONS.items()} == DOCUMENTED


def test_manual_has_the_same_operations_with_their_problems() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+) (\S+)` \| .* \| (.*)\|$", (ROOT / "docs" / "api.md").read_text(), re.M)
    assert {name: (method, path) for name, method, path, _ in rows} == DOCUMENTED
    for name, _, _, problems in rows:
        assert set(re.findall(r"\d{3}", problems)) <= set(OPERATIONS[name][2]["responses"])


@pytest.mark.parametrize("name", DOCUMENTED)
def test_errors_are_problem_documents(name: str) -> None:
    responses = OPERATIONS[name][2]["responses"]
    errors = {status: response for status, response in responses.items() if status >= "400"}
    assert {"500", "503"} <= set(errors)
    for response in errors.values():
        assert response["content"]["application/problem+json"]["schema"] == {"$ref": "#/components/schemas/Problem"}


def test_frameworks_own_errors_are_nowhere() -> None:
    assert "HTTPValidationError" not in json.dumps(SCHEMA)
    assert "ValidationError" not in SCHEMA["components"]["schemas"]


def test_every_reference_leads_somewhere() -> None:
    references = [node["$ref"] for node in everything(SCHEMA) if "$ref" in node]
    assert len(references) > 40
    for reference in references:
        assert reference.startswith("#/")
        target: Any = SCHEMA
        for part in reference.removeprefix("#/").split("/"):
            target = target[part]
        assert target


def test_body_of_a_search_is_described_in_every_form() -> None:
    content = OPERATIONS["create_search"][2]["requestBody"]["content"]
    assert set(content) == {
        "application/json",
        "text/x-fasta",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    }
    assert SCHEMA["components"]["schemas"]["SearchRequest"]["additionalProperties"] is False
    assert SCHEMA["openapi"] == "3.1.0"


def test_examples_are_valid() -> None:
    described = [node for node in everything(SCHEMA) if isinstance(node.get("examples"), list)]
    assert len(described) >= 3
    for node in described:
        judge = Draft202012Validator({**node, "components": SCHEMA["components"]})
        for example in node["examples"]:
            judge.validate(example)


def test_answers_without_a_problem_are_described() -> None:
    told = SCHEMA["info"]["description"]
    for figure in (MOST_HEADERS, f"{LARGEST_HEAD:,}", int(HEAD_S), int(BODY_S), f"{int(UPLOAD_S):,}", 431, 408, 421):
        assert str(figure) in told


def test_states_are_a_closed_list() -> None:
    assert SCHEMA["components"]["schemas"]["SearchState"]["enum"] == [
        "queued", "running", "succeeded", "failed", "cancelled",
    ]  # fmt: skip
    state = SCHEMA["components"]["schemas"]["Search"]["properties"]["state"]
    assert state["$ref"] == "#/components/schemas/SearchState"


def test_lists_of_values_have_names() -> None:
    named = [schema for schema in SCHEMA["components"]["schemas"].values() if "enum" in schema]
    assert len(named) == len([node for node in everything(SCHEMA) if "enum" in node])
    assert {"SearchState", "MatrixName", "StatisticsMethod", "ResultFormat"} <= {schema["title"] for schema in named}


def test_a_files_form_is_another_type_than_a_forms_fields() -> None:
    schemas = SCHEMA["components"]["schemas"]
    content = OPERATIONS["create_search"][2]["requestBody"]["content"]
    references = [body["schema"].get("$ref") for body in content.values()]
    names = [reference.rpartition("/")[2] for reference in references if reference]
    assert sorted(names) == ["SearchForm", "SearchRequest", "SearchUpload"]
    assert schemas["SearchUpload"]["properties"]["sequence"]["format"] == "binary"
    for name in names:
        assert schemas[name]["properties"].keys() == schemas["SearchRequest"]["properties"].keys()


def test_headers_that_http_itself_negotiates_are_not_parameters() -> None:
    parameters = [each for _, _, operation in OPERATIONS.values() for each in operation.get("parameters", [])]
    headers = {each["name"].lower() for each in parameters if each["in"] == "header"}
    assert "prefer" in headers
    assert not headers & {"accept", "content-type", "authorization"}


def test_a_packed_body_that_is_damaged_has_a_documented_answer() -> None:
    """An upload is read as a file: there the answer names the file's fault, with 422."""
    bodies = [(path, operation) for _, path, operation in OPERATIONS.values() if "requestBody" in operation]
    assert [path for path, operation in bodies if "400" not in operation["responses"]] == ["/v1/uploads"]
