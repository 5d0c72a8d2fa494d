"""The description of the interface (OpenAPI), made fit to generate clients from.

FastAPI writes every list of values where it is used, and knows nothing of bodies that a route reads by itself.
"""

from copy import deepcopy
from typing import Any

from pydantic.json_schema import models_json_schema

from app.alignment_schemas import AlignmentProgress
from app.comparison_schemas import ComparisonProgress, StretchAlignment
from app.middleware.auth import OPEN
from app.msa_schemas import MsasProgress
from app.problems import documented
from app.schemas import Progress, SequenceBatch
from worker.jobs.comparison_requests import ComparisonRequest
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.pair_requests import AlignmentRequest
from worker.jobs.requests import SearchRequest

_NAMES = {
    "Search.state": "SearchState",
    "Search.phase": "SearchPhase",
    "Verification.state": "SearchState",
    "Progress.phase": "SearchPhase",
    "Alignment.state": "SearchState",
    "Alignment.phase": "SearchPhase",
    "AlignmentProgress.phase": "SearchPhase",
    "PairParameters.pairing": "Pairing",
    "PairParameters.mode": "AlignmentMode",
    "PairParameters.free_ends": "AlignmentEnd",
    "PairParameters.alphabet": "PairAlphabet",
    "PairParameters.report": "AlignmentReport",
    "PairParameters.strand": "AlignmentStrands",
    "AlignmentRequest.pairing": "Pairing",
    "AlignmentRequest.mode": "AlignmentMode",
    "AlignmentRequest.free_ends": "AlignmentEnd",
    "AlignmentRequest.alphabet": "PairAlphabet",
    "AlignmentRequest.report": "AlignmentReport",
    "AlignmentRequest.strand": "AlignmentStrands",
    "Comparison.state": "SearchState",
    "Comparison.phase": "SearchPhase",
    "ComparisonProgress.phase": "SearchPhase",
    "RegionAsked.side": "GenomeSide",
    "StrandSummary.strand": "Strand",
    "SyntenyBlock.strand": "Strand",
    "SyntenyBlock.kind": "SyntenyKind",
    "GenomeHsp.strand": "Strand",
    "StretchAlignment.strand": "Strand",
    "Policy.sensitivity": "Sensitivity",
    "ComparisonParameters.sensitivity": "Sensitivity",
    "ComparisonParameters.extension": "Extension",
    "ComparisonParameters.strands": "ComparedStrands",
    "ComparisonParameters.gapped": "Gapped",
    "ComparisonRequest.sensitivity": "Sensitivity",
    "ComparisonRequest.extension": "Extension",
    "ComparisonRequest.strands": "ComparedStrands",
    "ComparisonRequest.gapped": "Gapped",
    "Msas.state": "SearchState",
    "Msas.phase": "SearchPhase",
    "MsasProgress.phase": "SearchPhase",
    "MsaRequest.filter": "MsaFilter",
    "MsaRequest.pairing": "ChainPairing",
    "MsaParameters.filter": "MsaFilter",
    "MsaParameters.pairing": "ChainPairing",
    "list_msas.state": "SearchState",
    "get_msa_results.format": "MsaFormat",
    "get_msa_results.of": "MsaDatabases",
    "get_msa_columns.of": "MsaDatabases",
    "get_msa_rows_figure.of": "MsaDatabases",
    "get_msa_conservation_figure.of": "MsaDatabases",
    "get_scores_figure.range": "ScoreRange",
    "SearchRequest.matrix": "MatrixName",
    "SearchRequest.statistics": "StatisticsMethod",
    "SearchRequest.composition": "Composition",
    "SearchRequest.mask": "Mask",
    "SearchRequest.order": "HitOrder",
    "SearchRequest.scores": "KeptScores",
    "SearchRequest.shuffle": "Shuffle",
    "Parameters.shuffle": "Shuffle",
    "Parameters.statistics": "StatisticsMethod",
    "Parameters.composition": "Composition",
    "Parameters.mask": "Mask",
    "Parameters.order": "HitOrder",
    "DatabaseInfo.alphabet": "DatabaseAlphabet",
    "DatabaseInfo.state": "DatabaseState",
    "DatabaseInfo.taxonomy": "DatabaseTaxonomy",
    "WorkerInfo.state": "WorkerState",
    "Upload.kind": "UploadKind",
    "create_upload.alphabet": "UploadKind",
    "list_searches.state": "SearchState",
    "list_alignments.state": "SearchState",
    "get_alignment_results.format": "PairFormat",
    "list_comparisons.state": "SearchState",
    "get_comparison_results.format": "ComparisonFormat",
    "get_results.format": "ResultFormat",
    "get_pssm.format": "PssmFormat",
    "get_scores.format": "ScoreFormat",
    "get_sequence.format": "SequenceFormat",
    "batch_get_sequences.format": "SequenceFormat",
}
"""Lists of values by where they stand; without a name of its own, each generator makes one up for each place."""

_FORM = "A search as an HTML form sends it; an empty field counts as not given."

ANY = """Besides what stands at each operation, any may be answered with these problems: 400 where a header that decides
stands there twice, 404 and 405 for other paths and methods, 408 for a body that does not come within 300 s (an
upload: 3,600 s), 413 and 415
for one that is too large or compressed otherwise than by gzip, 421 for a name in `Host` that the service does not know.

Three answers are no problem documents and have no `X-Request-ID`, since there is no request yet, and the connection
ends with them: 400 with a line of text for what is no HTTP/1.1 or has an address of more than 65,535 bytes, 431 without
a body for more than 100 headers or a head of more than 65,536 bytes, 408 without a body for a head that does not come
within 20 s."""


def complete(description: dict[str, Any]) -> None:
    """Put in what no route shows by its types: the body of a search in its forms, an event's data, names."""
    schemas = description["components"]["schemas"]
    _, definitions = models_json_schema(
        [
            (SearchRequest, "validation"),
            (AlignmentRequest, "validation"),
            (ComparisonRequest, "validation"),
            (StretchAlignment, "validation"),
            (SequenceBatch, "validation"),
            (Progress, "serialization"),
            (AlignmentProgress, "serialization"),
            (ComparisonProgress, "serialization"),
            (MsaRequest, "validation"),
            (MsasProgress, "serialization"),
        ],
        ref_template="#/components/schemas/{model}",
    )
    schemas |= definitions["$defs"]
    # A result is stored whole, and only a page of it has this.
    schemas["SearchResult"]["properties"]["next_page_token"] = {
        "type": "string",
        "description": "Of a page of hits: for the next one; empty on the last page.",
    }
    _name_lists(description)
    _ask_for_keys(description)
    # Each form needs a type of its own: a generated client tells by it how a body is to be sent.
    for name in ("SearchForm", "SearchUpload"):
        schemas[name] = {**deepcopy(schemas["SearchRequest"]), "title": name, "description": _FORM}
        for taxids in ("taxids", "negative_taxids"):
            described = schemas[name]["properties"][taxids]["description"]
            schemas[name]["properties"][taxids] = {
                "type": "string",
                "description": f"{described} By comma, as 9606,10090.",
            }
    for field, what in (("sequence", "FASTA"), ("pssm", "a profile, in place of `sequence`")):
        schemas["SearchUpload"]["properties"][field] = {
            "type": "string",
            "format": "binary",
            "title": field.capitalize(),
            "description": f"A file of {what}, or the text itself.",
        }


def _ask_for_keys(description: dict[str, Any]) -> None:
    """Say where a key goes, and what is answered without one: to all but what monitors ask."""
    description["components"]["securitySchemes"] = {
        "key": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key, where the operator has set SHARDWATER_AUTH=keys; else none is needed.",
        }
    }
    refusals = documented(401, 403)
    for path, methods in description["paths"].items():
        for operation in methods.values():
            if path in OPEN:
                continue
            operation["security"] = [{"key": []}, {}]
            operation["responses"] |= {str(status): refusals[status] for status in (401, 403)}
            operation["responses"] = dict(sorted(operation["responses"].items()))


def _name_lists(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    operations = [operation for methods in description["paths"].values() for operation in methods.values()]
    places = [(name, schema.get("properties", {})) for name, schema in list(schemas.items())]
    places += [
        (operation["operationId"], {each["name"]: each["schema"] for each in operation.get("parameters", [])})
        for operation in operations
    ]
    for owner, fields in places:
        for field, schema in fields.items():
            # An optional one is `anyOf` its type and null.
            holder = schema.get("anyOf", [schema])[0]
            holder = holder.get("items", holder)
            if name := _NAMES.get(f"{owner}.{field}"):
                schemas[name] = {"type": holder.pop("type"), "enum": holder.pop("enum"), "title": name}
                holder["$ref"] = f"#/components/schemas/{name}"
