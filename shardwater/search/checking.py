"""A result checked by a sample: by the scores of its hits and of some other subjects, made anew (sampling.py).

What a sample cannot tell is whether the fit is that of all scores; it is taken as the result says it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from shardwater.database.database import Database
from shardwater.search.judging import Judge
from shardwater.search.merge import Hit, QueryResult, SearchResult, StatisticsUsed
from shardwater.search.ordering import Place, place
from shardwater.search.parameters import Parameters
from shardwater.search.verification import Difference, Differences, score_text, value_text
from shardwater.sequences.fasta import Record
from shardwater.statistics.evalue import Figures, Method, SearchSpace, Statistics

Scores = Mapping[int, int]
"""Scores by subject."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a result is checked with: the sequences of its queries that were searched, what was asked of them, its
    database, and subjects.
    """

    queries: Sequence[Record]
    parameters: Parameters
    database: Database
    subjects: Sequence[int]

    def chosen(self, answer: QueryResult) -> list[int]:
        """The subjects whose scores with a query are needed, ascending: its hits that there are, and the sample."""
        hits = (self.database.find(hit.accession) for hit in answer.hits)
        return sorted({hit for hit in hits if hit is not None}.union(self.subjects))

    def differences(self, result: SearchResult, scores: Sequence[Scores]) -> Differences:
        """What differs from the result: in its hits, and by subjects of the sample that should be among them.

        scores: with each query those of its chosen subjects.
        """
        return Differences.of(self._between(result, scores))

    def _between(self, result: SearchResult, scores: Sequence[Scores]) -> Iterator[Difference]:
        for field in fields(Parameters):
            stored, asked = getattr(result.parameters, field.name), getattr(self.parameters, field.name)
            if stored != asked:
                yield Difference(f"parameters.{field.name}", value_text(stored), value_text(asked))
        certificate, manifest = result.certificate, self.database.manifest
        for member, stored in (("subjects", certificate.subjects), ("residues", certificate.residues)):
            if stored != getattr(manifest, member):
                yield Difference(f"certificate.{member}", str(stored), str(getattr(manifest, member)))
        if len(result.results) != len(self.queries):
            yield Difference("queries", str(len(result.results)), str(len(self.queries)))
            return
        for number, (record, one, known) in enumerate(zip(self.queries, result.results, scores, strict=True), start=1):
            yield from _Checked(number, record, one, self.parameters, self.database, known).differences(self.subjects)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A hit, its place in the list, from 1, and its subject; None where the database has none like it."""

    at: int
    hit: Hit
    subject: int | None


@dataclass(frozen=True, slots=True)
class _Judged:
    """A subject, its score, and what that means."""

    subject: int
    score: int
    figures: Figures
    place: Place


@dataclass(frozen=True, slots=True)
class _Checked:
    """The answer to one query."""

    number: int
    record: Record
    answer: QueryResult
    parameters: Parameters
    database: Database
    scores: Scores

    def differences(self, sample: Sequence[int]) -> Iterator[Difference]:
        """What differs in the answer's statistics and hits, then what is missing of the sample."""
        used = self.answer.statistics
        if used.method != self._method:
            yield self._difference("statistics.method", used.method, self._method)
            return
        if (used.method == "fitted") is not (used.fit is not None and used.fit.variance > 0):
            yield self._difference("statistics.fit", "what no figure follows from", None)
            return
        statistics = self._statistics()
        yield from self._in_statistics(statistics)
        listed = [_Listed(at, hit, self.database.find(hit.accession)) for at, hit in enumerate(self.answer.hits, 1)]
        hits = {each.subject for each in listed if each.subject is not None}
        judged = self._judged(statistics, sorted(hits.union(sample)))
        yield from self._in_hits(listed, judged)
        hit = [judged[subject] for subject in hits]
        last = max((each.place for each in hit), default=None)
        others = [judged[subject] for subject in sample if subject not in hits]
        best = sorted(hit + [each for each in others if self._may_be_hit(each, last)], key=lambda each: each.place)
        for each in best[: self.parameters.max_target_seqs]:
            if each.subject not in hits:
                yield self._missing(each)

    @property
    def _method(self) -> Method:
        """The method that was asked for, or what stands in for a fit that cannot be made."""
        if self.answer.statistics.fallback_reason is None:
            return self.parameters.statistics
        return "table" if self.parameters.by_table() else "none"

    def _in_statistics(self, statistics: Statistics) -> Iterator[Difference]:
        used = StatisticsUsed.of(Judge(statistics))
        for member in ("lambda_", "kappa", "entropy", "eff_space"):
            stored, computed = getattr(self.answer.statistics, member), getattr(used, member)
            if stored != computed:
                yield self._difference(f"statistics.{member.rstrip('_')}", value_text(stored), value_text(computed))

    def _in_hits(self, listed: Sequence[_Listed], judged: Mapping[int, _Judged]) -> Iterator[Difference]:
        """What differs in the hits, one by one, and in their order."""
        known = [(each.at, judged[each.subject]) for each in listed if each.subject is not None]
        ordered = sorted(known, key=lambda each: each[1].place)
        ranks = {at: should for (at, _), (should, _) in zip(ordered, known, strict=True)}
        seen: set[int | None] = {None}
        for each in listed:
            if each.subject is None or each.subject in seen:
                reason = "a hit already" if each.subject is not None else "no such subject in the database"
                yield self._in_hit(each, "", score_text(each.hit.score), reason)
                continue
            seen.add(each.subject)
            yield from self._in_figures(each, judged[each.subject], ranks[each.at])

    def _in_figures(self, listed: _Listed, judged: _Judged, rank: int) -> Iterator[Difference]:
        """What differs in a hit that should have this rank."""
        hit, figures = listed.hit, judged.figures
        accession, title = self.database.names_of(judged.subject)
        for member, stored, computed in (
            ("rank", hit.rank, rank),
            ("accession", hit.accession, accession),
            ("title", hit.title, title),
            ("length", hit.length, int(self.database.lengths[judged.subject])),
            ("score", hit.score, judged.score),
            ("bits", hit.bits, figures.bits),
            ("evalue", hit.evalue, figures.evalue),
        ):
            if stored != computed:
                yield self._in_hit(listed, member, value_text(stored), value_text(computed))
        if judged.score == 0 or not self.parameters.admit(figures.bits, figures.evalue):
            yield self._in_hit(listed, "", score_text(hit.score), "outside the limits")

    def _may_be_hit(self, judged: _Judged, last: Place | None) -> bool:
        """Whether a subject that is no hit should be one if the list has room; `last` is the place of the last hit.

        Only what is certain: filters by the alignment, and limits that do not cut along the order, leave out subjects
        whose places nobody knows. Then a subject is judged that comes before the last hit, or none.
        """
        parameters = self.parameters
        full = len(self.answer.hits) >= parameters.max_target_seqs
        admitted = parameters.admit(judged.figures.bits, judged.figures.evalue)
        filtered = parameters.min_identity is not None or parameters.min_query_coverage is not None
        if judged.score == 0 or (filtered and not full):
            return False
        if last is not None and judged.place < last:
            return full or admitted
        by_score = self.answer.statistics.method in ("karlin-altschul", "none")
        cut_in_order = by_score or (parameters.order == "evalue" and parameters.min_bits is None)
        return not full and admitted and cut_in_order

    def _judged(self, statistics: Statistics, subjects: Sequence[int]) -> dict[int, _Judged]:
        """What the scores of subjects mean."""
        scores = [self.scores[subject] for subject in subjects]
        figures = statistics.figures(scores, self.database.lengths[subjects].tolist())
        return {
            subject: _Judged(subject, score, each, place(self.parameters, each, score, subject))
            for subject, score, each in zip(subjects, scores, figures, strict=True)
        }

    def _statistics(self) -> Statistics:
        """The statistics that the answer names."""
        manifest = self.database.manifest
        space = SearchSpace(len(self.record.residues), manifest.residues, manifest.subjects)
        return Statistics.of(self._method, self.parameters.scoring, space, self.answer.statistics.fit)

    def _difference(self, member: str, stored: str | None, computed: str | None) -> Difference:
        return Difference(member, stored, computed, self.number, self.answer.query.id)

    def _in_hit(self, listed: _Listed, member: str, stored: str | None, computed: str | None) -> Difference:
        place = self.number, self.answer.query.id, listed.at, listed.hit.accession
        return Difference(member, stored, computed, *place)

    def _missing(self, judged: _Judged) -> Difference:
        accession = self.database.accession(judged.subject)
        text = score_text(judged.score)
        return Difference("", None, text, self.number, self.answer.query.id, accession=accession)
