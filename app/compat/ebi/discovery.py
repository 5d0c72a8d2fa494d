"""What EBI's Job Dispatcher tells of a tool before and after a job, as XML or as JSON by Accept."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from fastapi import Request, Response

from app.compat.ebi.tools import SCORES, Tool
from app.service import Service

COUNTS = (5, 10, 20, 50, 100, 150, 200, 250, 500, 750, 1000)
EXPECTS = ("1e-200", "1e-100", "1e-50", "1e-10", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1", "1.0", "10", "100", "1000")
USUAL_EXPECT = "10"


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that a parameter may have."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Details:
    """A parameter of a tool; its first choice is the default unless another one is named."""

    name: str
    description: str
    type: str
    choices: tuple[Choice, ...] = ()
    default: str = ""


@dataclass(frozen=True, slots=True)
class ResultType:
    """A form that a job's result can be had in."""

    identifier: str
    label: str
    description: str
    suffix: str
    media_type: str


def parameters_of(tool: Tool, service: Service) -> dict[str, Details]:
    """All that a job of this tool can be told here, with the databases of this server."""
    manifests = [database.manifest for database in service.searchable()]
    databases = tuple(Choice(manifest.name, manifest.title or manifest.name) for manifest in manifests)
    counts = tuple(Choice(str(count), str(count)) for count in COUNTS)
    expects = tuple(Choice(expect, expect) for expect in EXPECTS)
    usual = f"{tool.title}'s pair for the matrix, unless given"
    gap_sense = (
        "A gap of n residues costs gapopen + n * gapext, as negative numbers"
        if tool.name == "fasta"
        else "A gap of n residues costs gapopen + n * gapext; -1 is the default"
    )
    hsps = (
        Details("HSPs", "Whether all alignments of a hit are given, or its best.", "BOOLEAN", _same(("false", "true")))
        if tool.name == "fasta"
        else Details("HSPs", "Alignments of a hit, at most.", "INTEGER", default="1")
    )
    return {
        "program": Details(
            "Program", "Every program stands for the same exact search.", "STRING", _same(tool.programs)
        ),
        "stype": Details("Sequence type", "What the query is.", "STRING", _same(("protein",))),
        "sequence": Details("Sequence", "One protein, as FASTA or bare.", "STRING"),
        "database": Details("Database", "The database that is searched.", "STRING", databases),
        "matrix": Details("Matrix", "The substitution matrix.", "STRING", _same(tuple(tool.matrices))),
        "gapopen": Details("Gap open", f"{gap_sense}: {usual}.", "INTEGER"),
        "gapext": Details("Gap extend", f"{gap_sense}: {usual}.", "INTEGER"),
        tool.expect: Details(
            "Expectation", "The largest E-value; any number above 0.", "DOUBLE", expects, USUAL_EXPECT
        ),
        "hsps": hsps,
        "taxids": Details("Taxa", "Taxids by comma: sequences of these alone are searched.", "STRING"),
        "negative_taxids": Details("Taxa left out", "Taxids by comma: sequences of these are not searched.", "STRING"),
        "scores": Details("Scores", "Hits to report, if alignments is not more.", "INTEGER", counts, str(SCORES)),
        "alignments": Details("Alignments", "Hits to report, if scores is not more.", "INTEGER", counts, str(SCORES)),
    }


def _same(values: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(value, value) for value in values)


def list_parameters(request: Request, names: Sequence[str]) -> Response:
    """The names of a tool's parameters."""
    if _wants_json(request):
        return _json({"parameters": list(names)})
    return _xml("parameters", "".join(_element("id", name) for name in names))


def show_details(request: Request, details: Details) -> Response:
    """What a parameter may be."""
    default = details.default or (details.choices[0].value if details.choices else "")
    if _wants_json(request):
        values = [
            {"label": each.label, "value": each.value, "defaultValue": each.value == default, "properties": None}
            for each in details.choices
        ]
        return _json(
            {
                "name": details.name,
                "description": details.description,
                "type": details.type,
                "values": {"values": values} if values else None,
            }
        )
    choices = "".join(
        f"<value>{_element('label', each.label)}{_element('value', each.value)}"
        f"{_element('defaultValue', str(each.value == default).lower())}</value>"
        for each in details.choices
    )
    head = "".join(_element(name, getattr(details, name)) for name in ("name", "description", "type"))
    return _xml("parameter", head + (f"<values>{choices}</values>" if choices else ""))


def list_result_types(request: Request, types: Sequence[ResultType]) -> Response:
    """The forms of a result."""
    shown = [
        {
            "description": each.description,
            "fileSuffix": each.suffix,
            "identifier": each.identifier,
            "label": each.label,
            "mediaType": each.media_type,
        }
        for each in types
    ]
    if _wants_json(request):
        return _json({"types": shown})
    rows = ("".join(_element(name, text) for name, text in each.items()) for each in shown)
    return _xml("types", "".join(f"<type>{row}</type>" for row in rows))


def error_document(description: str, status: int) -> Response:
    """An error as their clients read it: the first child of the first child is the sentence."""
    return _xml("error", _element("description", description), status)


def _wants_json(request: Request) -> bool:
    accept = request.headers.get("accept", "").lower()
    return "application/json" in accept and "xml" not in accept


def _json(content: dict[str, Any]) -> Response:
    return Response(json.dumps(content), media_type="application/json", headers={"Vary": "Accept"})


def _xml(root: str, content: str, status: int = 200) -> Response:
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root}>{content}</{root}>\n'
    return Response(text, status, media_type="application/xml", headers={"Vary": "Accept"})


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(text)}</{name}>"
