"""A job's result as EBI's Job Dispatcher gives it: their XML, JSON and table, and plain lists."""

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from app.compat.ebi.tools import Tool
from shardwater.formats.blast import PROGRAM, UNKNOWN, version
from shardwater.formats.number_text import NOT_AVAILABLE, bits_text, evalue_text
from shardwater.formats.titles import joined, names_of, one_line
from shardwater.search.hits import Hsp
from shardwater.search.merge import Hit, Query, QueryResult, SearchResult
from shardwater.search.parameters import Parameters
from worker.jobs.states import SearchState

_UNIPROT = re.compile(r"(sp|tr)\|([^|\s]+)\|(\S+)", re.IGNORECASE)
_MARK = re.compile(r"(?:^|\s)(OS|OX|GN|PE|SV)=")
_SAME_FLAGS = ("statistics", "order", "min_bits", "min_identity", "min_query_coverage", "max_hsps", "query_loc")
"""Parameters whose flags have their names, printed where they are not the command line's defaults."""
_COLUMNS = (
    *("Hit", "DB", "Accession", "Description", "Organism", "Length"),
    *("Score(Bits)", "Identities(%)", "Positives(%)", "E()"),
)


@dataclass(frozen=True, slots=True)
class Job:
    """A finished job: its tool, how it went, and the result, which has one query."""

    tool: Tool
    state: SearchState
    result: SearchResult

    @property
    def one(self) -> QueryResult:
        """The query's part."""
        return self.result.results[0]

    @property
    def program(self) -> str:
        """The kind of search by the tool's name for it."""
        return PROGRAM if self.tool.name == "ncbiblast" else self.tool.programs[0]

    @property
    def command(self) -> str:
        """Our own command line for the same search."""
        used, usual = self.result.parameters, Parameters()
        flags = [
            f"-{name} {getattr(used, name)}" for name in _SAME_FLAGS if getattr(used, name) != getattr(usual, name)
        ]
        # On the command line every hit has its alignment unless it is told otherwise.
        if used.alignments != used.max_target_seqs:
            flags.append(f"-alignments {used.alignments}")
        if used.score_distribution:
            flags.append("-score_distribution")
        if used.statistics == "fitted" and not used.adjusted:
            flags.append("-composition none")
        scoring = f"-matrix {used.matrix} -gapopen {used.gap_open} -gapextend {used.gap_extend}"
        limits = f"-evalue {used.evalue} -max_target_seqs {used.max_target_seqs}"
        for name in ("taxids", "negative_taxids"):
            if taxids := getattr(used, name):
                flags.append(f"-{name} {','.join(map(str, taxids))}")
        return " ".join(
            [
                "shardwater search -query sequence",
                f"-db {shlex.quote(self.result.database.name)}",
                scoring,
                limits,
                *flags,
            ]
        )

    @property
    def times(self) -> tuple[str, str, str]:
        """Start and end, and what lies between."""
        start, end = self.state.created_at, self.state.finished_at or self.state.created_at
        return start.isoformat(), end.isoformat(), f"PT{(end - start).total_seconds():.3f}S"


@dataclass(frozen=True, slots=True)
class Entry:
    """A sequence as their readers see it: where it is from, its name, its accession, its description.

    Only UniProt's headers are taken apart; of any other the first word is both name and accession.
    """

    db: str
    id: str
    acc: str
    desc: str

    @classmethod
    def of(cls, first_word: str, title: str, database: str) -> "Entry":
        """The entry of a header."""
        found = _UNIPROT.fullmatch(first_word)
        db, acc, name = found.groups() if found else (database, first_word, first_word)
        return cls(one_line(db.upper() if found else db), one_line(name), one_line(acc), one_line(title))

    @property
    def definition(self) -> str:
        """All in one line, as they write it."""
        return joined(f"{self.db}:{self.acc}", self.id, self.desc)

    @property
    def annotated(self) -> dict[str, str]:
        """What UniProt's description says by its own marks, as OS for the organism."""
        _, *marked = _MARK.split(self.desc)
        return {mark: value.strip() for mark, value in zip(marked[::2], marked[1::2], strict=True)}


def entry_of(hit: Hit, job: Job) -> Entry:
    """A hit's entry: of several records with the same sequence, the first."""
    first = names_of(hit)[0]
    return Entry.of(first.id, first.title, hit.database or job.result.database.name)


def write_ids(job: Job) -> Iterator[str]:
    """The names of the hits, one a line."""
    return (f"{entry_of(hit, job).id}\n" for hit in job.one.hits)


def write_accs(job: Job) -> Iterator[str]:
    """The accessions of the hits, one a line."""
    return (f"{entry_of(hit, job).acc}\n" for hit in job.one.hits)


def write_tsv(job: Job) -> Iterator[str]:
    """Their table of hits."""
    yield "\t".join(_COLUMNS) + "\n"
    for hit in job.one.hits:
        entry = entry_of(hit, job)
        shares = [f"{share:.1f}" for share in _shares(hit.hsps[0])] if hit.hsps else [NOT_AVAILABLE] * 2
        organism = entry.annotated.get("OS", "") or one_line(hit.organism or "")
        figures = (bits_text(hit.bits).strip(), *shares, evalue_text(hit.evalue))
        cells = (str(hit.rank), entry.db, entry.acc, entry.desc, organism, str(hit.length), *figures)
        yield "\t".join(cells) + "\n"


def write_json(job: Job) -> Iterator[str]:
    """One object, by the names of their schema for sequence similarity searches."""
    used, certificate, query = job.result.parameters, job.result.certificate, job.one.query
    start, end, taken = job.times
    yield json.dumps(
        {
            "program": job.program,
            "version": version(job.result),
            "command": job.command,
            **_sequence("query", _query_entry(query), query.length),
            "query_stype": "protein",
            "db_count": len(job.result.each_database),
            "db_num": certificate.subjects,
            "db_len": certificate.residues,
            "dbs": [{"name": used.name, "stype": "protein"} for used in job.result.each_database],
            "alignments": used.max_target_seqs,
            "scores": used.max_target_seqs,
            "expect_upper": used.evalue,
            "gap_extend": used.gap_extend,
            "gap_open": used.gap_open,
            "matrix": used.matrix,
            "start": start,
            "end": end,
            "search": taken,
            "hits": [_hit(hit, job) for hit in job.one.hits],
        }
    )


def _query_entry(query: Query) -> Entry:
    return Entry.of(query.id, query.title, "")


def _sequence(kind: str, entry: Entry, length: int) -> dict[str, Any]:
    marks = entry.annotated
    return {
        f"{kind}_def": entry.definition if kind == "hit" else joined(entry.id, entry.desc),
        f"{kind}_db": entry.db,
        f"{kind}_id": entry.id,
        f"{kind}_acc": entry.acc,
        f"{kind}_desc": entry.desc,
        **({f"{kind}_os": marks["OS"]} if "OS" in marks else {}),
        **({f"{kind}_uni_de": entry.desc[: entry.desc.index(" OS=")]} if " OS=" in entry.desc else {}),
        **{f"{kind}_uni_{mark.lower()}": value for mark, value in marks.items()},
        f"{kind}_len": length,
    }


def _hit(hit: Hit, job: Job) -> dict[str, Any]:
    hsps = [_hsp(number, hsp) for number, hsp in enumerate(hit.hsps, start=1)]
    return {"hit_num": hit.rank, **_sequence("hit", entry_of(hit, job), hit.length), "hit_hsps": hsps}


def _shares(hsp: Hsp) -> tuple[float, float]:
    """Identical and positive columns in per cent."""
    return 100 * hsp.identity / hsp.align_len, 100 * hsp.positive / hsp.align_len


def _hsp(number: int, hsp: Hsp) -> dict[str, Any]:
    identity, positive = _shares(hsp)
    return {
        "hsp_num": number,
        "hsp_score": hsp.score,
        "hsp_bit_score": hsp.bits,
        "hsp_expect": hsp.evalue,
        "hsp_align_len": hsp.align_len,
        "hsp_identity": round(identity, 1),
        "hsp_positive": round(positive, 1),
        "hsp_gaps": hsp.gaps,
        "hsp_query_frame": "0",
        "hsp_hit_frame": "0",
        "hsp_strand": "none/none",
        "hsp_query_from": hsp.query_from,
        "hsp_query_to": hsp.query_to,
        "hsp_hit_from": hsp.hit_from,
        "hsp_hit_to": hsp.hit_to,
        "hsp_qseq": hsp.qseq,
        "hsp_mseq": hsp.midline,
        "hsp_hseq": hsp.hseq,
    }


def write_xml(job: Job) -> Iterator[str]:
    """Their EBIApplicationResult."""
    used, certificate, query = job.result.parameters, job.result.certificate, job.one.query
    start, end, taken = job.times
    databases = [used.name for used in job.result.each_database]
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n<EBIApplicationResult xmlns="http://www.ebi.ac.uk/schema">\n<Header>\n'
        f"<program{_attributes(name=job.program, version=version(job.result))}/>\n"
        f"<commandLine{_attributes(command=job.command)}/>\n<parameters>\n"
        f'<sequences total="1">\n<sequence{_attributes(number=1, name=query.id, type="p", length=query.length)}/>\n'
        f"</sequences>\n"
        f"<databases{_attributes(total=len(databases), sequences=certificate.subjects, letters=certificate.residues)}>"
        f"\n{''.join(map(_database_element, count(1), databases))}</databases>\n"
        f"<scores>{used.max_target_seqs}</scores>\n<alignments>{used.max_target_seqs}</alignments>\n"
        f"<matrix>{used.matrix}</matrix>\n<expectationUpper>{used.evalue}</expectationUpper>\n"
        f"<gapOpen>{used.gap_open}</gapOpen>\n<gapExtension>{used.gap_extend}</gapExtension>\n</parameters>\n"
        f"<timeInfo{_attributes(start=start, end=end, search=taken)}/>\n</Header>\n"
        f'<SequenceSimilaritySearchResult>\n<hits total="{len(job.one.hits)}">\n'
    )
    for hit in job.one.hits:
        yield _hit_element(hit, entry_of(hit, job))
    yield "</hits>\n</SequenceSimilaritySearchResult>\n</EBIApplicationResult>\n"


def _database_element(number: int, name: str) -> str:
    return f"<database{_attributes(number=number, name=name, type='p')}/>\n"


def _hit_element(hit: Hit, entry: Entry) -> str:
    named = _attributes(
        number=hit.rank, database=entry.db, id=entry.id, ac=entry.acc, length=hit.length, description=entry.desc
    )
    alignments = "".join(_alignment_element(number, hsp) for number, hsp in enumerate(hit.hsps, start=1))
    return f'<hit{named}>\n<alignments total="{len(hit.hsps)}">\n{alignments}</alignments>\n</hit>\n'


def _alignment_element(number: int, hsp: Hsp) -> str:
    identity, positive = _shares(hsp)
    return (
        f'<alignment number="{number}">\n<score>{hsp.score}</score>\n<bits>{_figure(hsp.bits)}</bits>\n'
        f"<expectation>{_figure(hsp.evalue)}</expectation>\n<identity>{identity:.1f}</identity>\n"
        f"<positives>{positive:.1f}</positives>\n<gaps>{hsp.gaps}</gaps>\n"
        f'<querySeq start="{hsp.query_from}" end="{hsp.query_to}">{hsp.qseq}</querySeq>\n'
        f"<pattern>{escape(hsp.midline)}</pattern>\n"
        f'<matchSeq start="{hsp.hit_from}" end="{hsp.hit_to}">{hsp.hseq}</matchSeq>\n</alignment>\n'
    )


def _figure(value: float | None) -> str:
    """A number as XML writes it, also the one for those who read numbers where neither a fit nor parameters are."""
    return UNKNOWN if value is None else str(value)


def _attributes(**values: str | int) -> str:
    return "".join(f" {name}={quoteattr(one_line(str(value)))}" for name, value in values.items())
