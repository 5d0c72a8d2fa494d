"""`shardwater ssca1`: the benchmark of sequence alignment, made, run, verified and timed."""

import json
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from worker.cli.console import Exit, print_table, progress_bar, stop

if TYPE_CHECKING:
    from shardwater.ssca1.problem import Problem
    from shardwater.ssca1.suite import KernelReport

MOST_SCALE = 40
"""It takes two hours on a core, by the speed of smaller ones."""


class FormName(StrEnum):
    """What the sequences are made of."""

    CODONS = "codons"
    AMINO_ACIDS = "amino-acids"


class MethodName(StrEnum):
    """How kernels 1 and 3 go through the matrix."""

    TILES = "tiles"
    ROW_SCAN = "row-scan"


def ssca1(
    scale: Annotated[
        int,
        typer.Option(help="The two sequences have 2^(scale / 2) letters each: 14 to 40."),
    ] = 22,
    form: Annotated[
        FormName, typer.Option(help="What letters are: codons as published; amino acids, which a GPU takes.")
    ] = FormName.CODONS,
    method: Annotated[
        MethodName, typer.Option(help="How a GPU finds end points: by tiles, or row after row as the paper does.")
    ] = MethodName.TILES,
    seed: Annotated[int, typer.Option(min=0, help="Of the random sequences: the same for the same seed.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Run SSCA#1, the HPCS benchmark of sequence alignment: exit code 5 where a kernel's answer is wrong."""
    from gpu import open_end_point_engine
    from shardwater.ssca1.forms import FORMS
    from shardwater.ssca1.problem import LEAST_SCALE, Problem
    from shardwater.ssca1.suite import KERNELS, run

    if not LEAST_SCALE <= scale <= MOST_SCALE:
        raise typer.BadParameter(f"a scale is {LEAST_SCALE} to {MOST_SCALE}", param_hint="--scale")
    problem, reports = Problem.of(scale, seed, FORMS[form]), list["KernelReport"]()
    engine = open_end_point_engine(method.value)
    with progress_bar("SSCA#1") as show:
        for report in run(problem, engine):
            reports.append(report)
            show(len(reports), len(KERNELS))
    verified = all(report.verified for report in reports)
    if as_json:
        typer.echo(json.dumps(_as_json(problem, method.value, sorted(engine.engines), reports), indent=1))
    else:
        _print(problem, " and ".join(sorted(engine.engines)), reports)
    if not verified:
        faults = [f"kernel {report.kernel}: {fault}" for report in reports for fault in report.faults]
        stop("; ".join(faults), Exit.DIFFERENT)


def _as_json(problem: "Problem", method: str, engines: list[str], reports: "list[KernelReport]") -> dict[str, object]:
    return {
        "scale": problem.scale,
        "seed": problem.seed,
        "form": problem.form.name,
        # The CPU goes row after row, whatever was asked for.
        "method": method if engines != ["cpu"] else MethodName.ROW_SCAN.value,
        "engines": engines,
        "query_letters": len(problem.query),
        "subject_letters": len(problem.subject),
        "planted": [asdict(planted) for planted in problem.planted],
        "kernels": [{**asdict(report), "verified": report.verified} for report in reports],
        "verified": all(report.verified for report in reports),
    }


def _print(problem: "Problem", engines: str, reports: "list[KernelReport]") -> None:
    letters = problem.form.name.replace("-", " ")
    typer.echo(
        f"SSCA#1, scale {problem.scale}: {len(problem.query):,} x {len(problem.subject):,} {letters}, on {engines}"
    )
    rows = [
        (
            str(each.kernel),
            each.finds,
            f"{each.found:,}",
            f"{each.cells:,}",
            f"{each.seconds:.3f}",
            f"{each.cells / max(each.seconds, 1e-9) / 1e9:.3f}",
            "verified" if each.verified else "WRONG",
        )
        for each in reports
    ]
    print_table(("kernel", "what", "found", "cells", "seconds", "GCUPS", ""), rows)
    typer.echo(f"Planted: {', '.join(planted.query for planted in problem.planted)}")
