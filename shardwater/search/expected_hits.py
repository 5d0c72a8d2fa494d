"""The hits that an answer should have, of those that it lists and of some other subjects.

Each is made by what makes the hits of every result (merge.py). Which one of equally good alignments is shown, and the
scores of shuffles, are taken as the result has them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.gotoh import align_batch
from shardwater.alignment.scheme import Scheme
from shardwater.database.joined import Joined
from shardwater.ranges import ranges_of
from shardwater.search.adjusting import Judged, adjust, adjusts, place_of
from shardwater.search.alignments import Shown, path_of, written_anew
from shardwater.search.among import searched_of, size_in
from shardwater.search.further import with_figures
from shardwater.search.hits import Hsp, SubjectHit
from shardwater.search.judging import Judge
from shardwater.search.merge import Hit, Query, hit_of, is_aligned_well
from shardwater.search.ordering import Place, place
from shardwater.search.parameters import Parameters
from shardwater.search.plain import plain_of
from shardwater.search.query_mask import QueryMask
from shardwater.search.remains import AlignedQuery, Remains, remains_of
from shardwater.search.sampling import find_listed
from shardwater.search.verification import Difference, score_text
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.evalue import Figures, SearchSpace
from shardwater.statistics.shuffles import Shuffled

ALIGNED = ("hsps", "identity", "query_coverage", "shuffled")
"""Members of a hit that follow from its alignment."""
OUTSIDE = "outside the limits"
TOGETHER = 64
"""Alignments that are made together."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, its number from 1, what was asked of it, and of which databases."""

    number: int
    record: Record
    parameters: Parameters
    databases: Joined
    without_tree: tuple[str, ...] = ()
    """Databases in which taxids stand for themselves alone."""

    @property
    def query(self) -> Query:
        """What a result says of the query itself."""
        [masked] = QueryMask.of_all([self.record], self.parameters.mask)
        return Query.of(self.record, masked)

    @property
    def space(self) -> SearchSpace:
        """What its E-values go by."""
        size = size_in(self.databases, self.parameters)
        return self.parameters.space(len(self.record.residues), size.residues, size.subjects)


_Written = tuple[Hsp, ...] | str
"""The alignments of a hit, or what is wrong with them."""


class MadeHits(NamedTuple):
    """Hits as they should be, in plain JSON, and what is told of those that are listed.

    reasons: why some should not be, by their places from 1. unsound: of alignments that are none. missing: of subjects
    that should be listed, and of shuffles.
    """

    hits: Sequence[dict[str, Any]]
    reasons: Mapping[int, str]
    unsound: Sequence[Difference]
    missing: Sequence[Difference]


class _Known(NamedTuple):
    """A subject whose score is known, what that means, and by what of it it is judged (adjusting.py)."""

    subject: int
    score: int
    length: int
    figures: Figures
    place: Place
    scale: float | None = None
    remains: Remains | None = None


class _Listed(NamedTuple):
    """A hit that a result lists, its place there, from 1, and what is known of its subject."""

    at: int
    hit: Hit
    known: _Known


@dataclass(frozen=True, slots=True)
class HitList:
    """The hits that a result lists for a query, and the scores of their subjects and of others, made anew.

    left_out: how many subjects a mask and the adjustment to composition have left out.
    """

    asked: Asked
    query_id: str
    hits: Sequence[Hit]
    judge: Judge
    scores: Mapping[int, int]
    left_out: int

    def made(self, sample: Sequence[int]) -> MadeHits:
        """The hits of these that there should be, and what is missing of a sample."""
        listed, reasons = self._listed()
        best = sorted((each for each in listed if each.known.score > 0), key=lambda each: each.known.place)
        most = self.asked.parameters.max_target_seqs
        within = [each for each in best[:most] if self._is_admitted(each.known)]
        written = self._written(within)
        of_subjects = {each.known.subject: written[each.at] for each in within}
        adjusted = self._adjusted([each.known for each in within], of_subjects)
        admitted = [each._replace(known=own) for each in within if (own := adjusted.get(each.known.subject))]
        admitted.sort(key=lambda each: each.known.place)
        reasons |= dict.fromkeys({each.at for each in listed} - {each.at for each in admitted}, OUTSIDE)
        reasons |= {each.at: f"beyond the best {most:,}" for each in best[most:]}
        shown = {each.at: written[each.at] for each in admitted[: self.asked.parameters.shown]}
        unsound = [self._unsound(each, wrong) for each in admitted if isinstance(wrong := shown.get(each.at), str)]
        hits: list[dict[str, Any]] = []
        for each, made in zip(admitted, self._hits(admitted, shown), strict=True):
            if isinstance(shown.get(each.at), str):
                # What follows from an alignment that is none is not judged.
                hits.append(without_alignment({**plain_of(made), "rank": len(hits) + 1}))
            elif is_aligned_well(made, self.asked.parameters):
                hits.append({**plain_of(made), "rank": len(hits) + 1})
            else:
                reasons[each.at] = OUTSIDE
        missing = [*self._unshuffled(admitted, shown), *self._missing([each.known for each in listed], sample)]
        return MadeHits(hits, reasons, unsound, missing)

    def _unshuffled(self, admitted: Sequence[_Listed], shown: Mapping[int, _Written]) -> Iterator[Difference]:
        """Those that are aligned and have no Z-values, though shuffles were asked for."""
        for each in admitted if self.asked.parameters.shuffles else ():
            if isinstance(shown.get(each.at), tuple) and each.hit.shuffled is None:
                should = f"of {self.asked.parameters.shuffles} shuffles"
                number, accession = self.asked.number, each.hit.accession
                yield Difference("shuffled", None, should, number, self.query_id, each.at, accession)

    def _missing(self, listed: Sequence[_Known], sample: Sequence[int]) -> Iterator[Difference]:
        """Those subjects of a sample that should be among the hits and are not."""
        hits = {each.subject for each in listed}
        last = max((each.place for each in listed), default=None)
        others = self._known([subject for subject in sample if subject not in hits]).values()
        found = [each for each in others if self._may_be_hit(each, last)]
        if len(self.hits) < self.asked.parameters.max_target_seqs:
            adjusted = self._adjusted(found, {})
            found = [each for each in found if each.subject in adjusted]
        best = [*listed, *found]
        best.sort(key=lambda each: each.place)
        for each in best[: self.asked.parameters.max_target_seqs]:
            if each.subject not in hits:
                accession = self.asked.databases.accession(each.subject)
                yield Difference(
                    "", None, score_text(each.score), self.asked.number, self.query_id, accession=accession
                )

    def _listed(self) -> tuple[list[_Listed], dict[int, str]]:
        """The hits that are subjects of the database, each once; and what the others are, by their places."""
        found = searched_of(self.asked.databases, self.asked.parameters, find_listed(self.asked.databases, self.hits))
        known = self._known([subject for subject in found if subject is not None])
        listed: dict[int, _Listed] = {}
        reasons: dict[int, str] = {}
        for at, (hit, subject) in enumerate(zip(self.hits, found, strict=True), start=1):
            if subject is None:
                reasons[at] = (
                    f"no such subject {'searched' if self.asked.parameters.chooses_taxa else 'in the database'}"
                )
            elif subject in listed:
                reasons[at] = "a hit already"
            else:
                listed[subject] = _Listed(at, hit, known[subject])
        return list(listed.values()), reasons

    def _known(self, subjects: Sequence[int]) -> dict[int, _Known]:
        """What the scores of subjects mean."""
        subjects = sorted(set(subjects))
        scores, lengths = [self.scores[each] for each in subjects], self.asked.databases.lengths_of(subjects).tolist()
        figures = self.judge.statistics.figures(scores, lengths)
        return {
            subject: _Known(subject, score, length, each, place(self.asked.parameters, each, score, length, subject))
            for subject, score, length, each in zip(subjects, scores, lengths, figures, strict=True)
        }

    def _is_admitted(self, known: _Known) -> bool:
        return self.asked.parameters.admit(known.figures.bits, known.figures.evalue)

    def _adjusted(self, found: Sequence[_Known], written: Mapping[int, _Written]) -> dict[int, _Known]:
        """Those that are within the limits by what is left of their scores, by subject, with their figures.

        written: alignments that are known. All are left as they are where nothing is taken off.
        """
        parameters, statistics = self.asked.parameters, self.judge.statistics
        if not adjusts(parameters, statistics) and parameters.mask == "none":
            return {each.subject: each for each in found}
        sequences = self.asked.databases.sequences([each.subject for each in found])
        subjects = dict(zip([each.subject for each in found], sequences, strict=True))
        shown = {subject: hsps[0] for subject, hsps in written.items() if isinstance(hsps, tuple)}
        paths = self._aligned_anew({each: subjects[each] for each in subjects.keys() - shown.keys()})
        scores = {each.subject: each.score for each in found}
        paths |= {each: path_of(hsp, scores[each], self.asked.record.offset) for each, hsp in shown.items()}
        record, aligned = self.asked.record, [paths[each.subject] for each in found]
        asked = AlignedQuery(record.residues, parameters, sequences, aligned, record.pssm)
        judged = [
            Judged(SubjectHit(each.subject, "", "", each.length, each.score, (), left), each.figures)
            for each, left in zip(found, remains_of([asked], parameters.scoring), strict=True)
        ]
        kept, _ = adjust(judged, parameters, statistics)
        return {each.hit.subject: self._known_as(each) for each in kept}

    def _known_as(self, judged: Judged) -> _Known:
        hit, figures, scale = judged
        its_place = place_of(self.asked.parameters, judged)
        return _Known(hit.subject, hit.score, hit.length, figures, its_place, scale, hit.remains)

    def _aligned_anew(self, subjects: Mapping[int, bytes]) -> dict[int, Alignment]:
        """The alignment of each subject, where a result shows no sound one."""
        scheme = Scheme.local(self.asked.parameters.scoring, self.asked.record.pssm)
        query = scheme.places(self.asked.record.residues)
        found: dict[int, Alignment] = {}
        # Together they take less time, those of like length least.
        ordered = sorted(subjects, key=lambda each: (len(subjects[each]), each))
        for numbers in ranges_of(len(ordered), TOGETHER):
            some = [ordered[number] for number in numbers]
            paths = align_batch(query, [encode(subjects[each]) for each in some], scheme)
            found.update((each, path or Alignment.scored(0)) for each, path in zip(some, paths, strict=True))
        return found

    def _written(self, listed: Sequence[_Listed]) -> dict[int, _Written]:
        """The alignments of hits, by their places; or what is wrong with them."""
        sequences = self.asked.databases.sequences([each.known.subject for each in listed])
        most = self.asked.parameters.max_hsps
        shown = [
            Shown(each.hit.hsps, sequence, each.known.score, most)
            for each, sequence in zip(listed, sequences, strict=True)
        ]
        written = written_anew(shown, self.asked.record, self.asked.parameters.scoring)
        return {each.at: one for each, one in zip(listed, written, strict=True)}

    def _hits(self, admitted: Sequence[_Listed], shown: Mapping[int, _Written]) -> Iterator[Hit]:
        """These as they should be, but for their ranks."""
        known = [each.known for each in admitted]
        evalues = self.judge.evalues(
            [each.score for each in known], [each.length for each in known], [each.scale for each in known]
        )
        subjects = [each.subject for each in known]
        names = self.asked.databases.names_of_all(subjects)
        organisms = self.asked.databases.organisms(subjects, [title for _, title in names])
        query, parameters = self.asked.query, self.asked.parameters
        judged = []
        for each, (accession, title), organism in zip(admitted, names, organisms, strict=True):
            one, hsps = each.known, _sound(shown.get(each.at))
            shuffled = self._shuffled(each) if hsps else None
            hit = SubjectHit(
                *(one.subject, accession, title, one.length, one.score, hsps, one.remains, shuffled),
                further_remains=tuple(self._further_remains(one, hsps)),
                organism=organism,
            )
            judged.append(Judged(hit, one.figures))
        with_theirs = with_figures(judged, parameters, self.judge.statistics)
        for each_judged, its_evalues in zip(with_theirs, evalues, strict=True):
            name = self.asked.databases.name_of(each_judged.hit.subject)
            yield hit_of(0, each_judged, query, its_evalues, name)

    def _further_remains(self, known: _Known, hsps: Sequence[Hsp]) -> Sequence[Remains | None]:
        """What is left of the scores of a hit's alignments after its best."""
        paths = [path_of(one, one.score, self.asked.record.offset) for one in hsps[1:]]
        if not paths:
            return ()
        [subject] = self.asked.databases.sequences([known.subject])
        record, parameters = self.asked.record, self.asked.parameters
        asked = AlignedQuery(record.residues, parameters, [subject] * len(paths), paths, record.pssm)
        return remains_of([asked], parameters.scoring)

    def _shuffled(self, listed: _Listed) -> Shuffled | None:
        """What follows from the means and standard deviations that the result has, which only shuffles tell."""
        stored = listed.hit.shuffled if self.asked.parameters.shuffles else None
        return stored and stored.judged(listed.known.score)

    def _may_be_hit(self, known: _Known, last: Place | None) -> bool:
        """Whether a subject that is no hit should be one if the list has room; `last` is the place of the last hit.

        Only what is certain: filters by the alignment, and limits that do not cut along the order, leave out subjects
        whose places nobody knows. Then a subject is judged that comes before the last hit, or none.
        """
        parameters = self.asked.parameters
        full, admitted = len(self.hits) >= parameters.max_target_seqs, self._is_admitted(known)
        room = len(self.hits) + self.left_out < parameters.max_target_seqs
        filtered = parameters.min_identity is not None or parameters.min_query_coverage is not None
        if known.score == 0 or (filtered and not full):
            return False
        if last is not None and known.place < last:
            return full or admitted
        by_score = self.judge.statistics.method in ("karlin-altschul", "none")
        cut_in_order = by_score or (parameters.order == "evalue" and parameters.min_bits is None)
        return room and admitted and cut_in_order

    def _unsound(self, listed: _Listed, wrong: str) -> Difference:
        should = f"an alignment worth {listed.known.score}"
        return Difference("hsps", wrong, should, self.asked.number, self.query_id, listed.at, listed.hit.accession)


def _sound(written: _Written | None) -> tuple[Hsp, ...]:
    return written if isinstance(written, tuple) else ()


def without_alignment(hit: Mapping[str, Any]) -> dict[str, Any]:
    """A hit as plain JSON without what follows from its alignment."""
    return {name: value for name, value in hit.items() if name not in ALIGNED}
