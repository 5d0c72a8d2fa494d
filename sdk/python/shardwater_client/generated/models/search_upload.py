from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from .. import types
from ..models.composition import Composition, check_composition
from ..models.hit_order import HitOrder, check_hit_order
from ..models.kept_scores import KeptScores, check_kept_scores
from ..models.mask import Mask, check_mask
from ..models.matrix_name import MatrixName, check_matrix_name
from ..models.shuffle import Shuffle, check_shuffle
from ..models.statistics_method import StatisticsMethod, check_statistics_method
from ..types import UNSET, File, FileTypes, Unset

T = TypeVar("T", bound="SearchUpload")


@_attrs_define
class SearchUpload:
    """A search as an HTML form sends it; an empty field counts as not given."""

    alignments: int | Unset = 100
    """ For how many of a query's best hits the alignment is given; the rest have scores alone. Raise it to read or
    download more of them. """
    composition: Composition | Unset = UNSET
    database: None | str | Unset = UNSET
    """ The database to search.

    Its name on this server, from /v1/databases. Name one here or several in `databases`. """
    databases: list[str] | None | Unset = UNSET
    """ Several databases, searched as if one held all their sequences. Name more than one to have one list of hits.

    Names of 1 to 10, in this order; E-values are by their size together. In a form or a query string with blanks
    between them. """
    dbsize: int | None | Unset = UNSET
    """ How many residues the database is taken to have when E-values are computed. Set it to compare searches of
    databases of different sizes.

    As -dbsize of BLAST+: it stands for the size of all that is searched, of several databases and of the organisms
    chosen; the number of sequences stays the real one. Fitted E-values change by the factor between the two sizes.
    Limits to E-values go by the changed ones; scores stay as they are. Default: the real size. """
    evalue: float | Unset = 10.0
    """ The largest E-value of a hit: how many hits as good chance alone would give. Lower it, to 0.001 say, for
    sure relatives; raise it for short queries. """
    gap_extend: int | None | Unset = UNSET
    """ What each residue of a gap costs. Lower it where relatives differ by long insertions.

    See gap_open. """
    gap_open: int | None | Unset = UNSET
    """ What it costs to begin a gap in an alignment. Keep the usual costs of the matrix; raise them where gaps are
    unlikely.

    A gap of n residues costs gap_open + n * gap_extend, as in BLAST: with 11 and 1 the first residue costs 12.
    Default: the pair that BLAST recommends for the matrix (11/1 for BLOSUM62). """
    inclusion_evalue: float | Unset = 0.002
    """ The largest E-value of a hit that is in the profile of the next round. Lower it where another family slips
    into the profile.

    By the statistics asked for, and by published parameters where there are both. """
    iterations: int | Unset = 1
    """ Rounds at most; each after the first searches with a profile of what was found. Take 3 to 5 for distant
    relatives that one round misses.

    As PSI-BLAST does: a profile is made of what the round before has found with E-values up to inclusion_evalue,
    until a round finds nothing new. Hits are of the last round; `rounds` says what each has found. Charged for all
    that may be made. """
    mask: Mask | Unset = UNSET
    matrix: MatrixName | str | Unset = "BLOSUM62"
    """ How much each pair of amino acids scores. BLOSUM62 suits most proteins; take BLOSUM45 for distant relatives,
    PAM30 for short peptides.

    A published one by its name, or one of your own by the `id` that POST /v1/matrices has given it. With one of
    your own, gap_open and gap_extend have to be given, and `statistics` is `fitted`, `simulated` or `none`. """
    max_hsps: int | Unset = 1
    """ How many alignments of one hit are given at most. Raise it to see repeats, and domains that stand in another
    order.

    The best, then the best of those that share no pair of letters with the ones before it, as long as evalue and
    min_bits let it pass. """
    max_target_seqs: int | Unset = 100
    """ How many sequences are listed for each query at most, the first of the order. Raise it where a large family
    fills the list. """
    min_bits: float | None | Unset = UNSET
    """ The least bit score of a hit. It does not depend on the database's size: set it for one limit in several
    databases. """
    min_identity: float | None | Unset = UNSET
    """ The least share of equal residues in an alignment, in per cent. Set it to see close relatives alone.

    It applies to the max_target_seqs best subjects. """
    min_query_coverage: float | None | Unset = UNSET
    """ The least share of the query that an alignment spans, in per cent. Set it to leave out hits of one domain
    alone.

    It applies to the max_target_seqs best subjects. """
    negative_taxids: str | Unset = UNSET
    """ Organisms that are left out, by their taxids. Set it to find relatives outside of a group.

    In the same way as `taxids`. By comma, as 9606,10090. """
    order: HitOrder | Unset = UNSET
    pssm: File | Unset = UNSET
    """ A file of a profile, in place of `sequence`, or the text itself. """
    query_loc: None | str | Unset = UNSET
    """ The part of each query that is searched, as 5-40. Set it to search one domain of a protein alone.

    Its first and last residue, from 1; a query that ends before is searched to its end. Places of alignments,
    `query.length` and coverage are of the whole query, E-values of the part. """
    score_distribution: bool | Unset = False
    """ Whether the scores of all sequences are counted, for a histogram beside what chance would give.

    Counts of all subjects' scores, what the fit expects of them, and for each hit the E-values by table and by fit.
    """
    scores: KeptScores | Unset = UNSET
    sequence: File | Unset = UNSET
    """ A file of FASTA, or the text itself. """
    shuffle: Shuffle | Unset = UNSET
    shuffle_seed: int | Unset = 0
    """ The number that chance begins with: another one gives other shuffles, the same one the same. """
    shuffles: int | Unset = 0
    """ How often query and hit are shuffled for a Z-value, which says how far a score is above chance. Take 100 to
    look at, 1,000 to publish.

    Each hit that is aligned gets one, from so many shuffles of the query and as many of the subject; 0: none. """
    statistics: StatisticsMethod | Unset = UNSET
    taxids: str | Unset = UNSET
    """ Organisms that alone are searched, by their NCBI taxids, as 9606 for human. Set it to find relatives in one
    group.

    With all that descends from them where the database has its tree: as if it held no others, so that E-values,
    counts and the certificate are of them. By comma, as 9606,10090. """
    title: str | Unset = ""
    """ A name for the search, by which lists show it. """

    def to_dict(self) -> dict[str, Any]:
        alignments = self.alignments

        composition: str | Unset = UNSET
        if not isinstance(self.composition, Unset):
            composition = self.composition

        database: None | str | Unset
        if isinstance(self.database, Unset):
            database = UNSET
        else:
            database = self.database

        databases: list[str] | None | Unset
        if isinstance(self.databases, Unset):
            databases = UNSET
        elif isinstance(self.databases, list):
            databases = self.databases

        else:
            databases = self.databases

        dbsize: int | None | Unset
        if isinstance(self.dbsize, Unset):
            dbsize = UNSET
        else:
            dbsize = self.dbsize

        evalue = self.evalue

        gap_extend: int | None | Unset
        if isinstance(self.gap_extend, Unset):
            gap_extend = UNSET
        else:
            gap_extend = self.gap_extend

        gap_open: int | None | Unset
        if isinstance(self.gap_open, Unset):
            gap_open = UNSET
        else:
            gap_open = self.gap_open

        inclusion_evalue = self.inclusion_evalue

        iterations = self.iterations

        mask: str | Unset = UNSET
        if not isinstance(self.mask, Unset):
            mask = self.mask

        matrix: str | Unset
        if isinstance(self.matrix, Unset):
            matrix = UNSET
        elif isinstance(self.matrix, str):
            matrix = self.matrix
        else:
            matrix = self.matrix

        max_hsps = self.max_hsps

        max_target_seqs = self.max_target_seqs

        min_bits: float | None | Unset
        if isinstance(self.min_bits, Unset):
            min_bits = UNSET
        else:
            min_bits = self.min_bits

        min_identity: float | None | Unset
        if isinstance(self.min_identity, Unset):
            min_identity = UNSET
        else:
            min_identity = self.min_identity

        min_query_coverage: float | None | Unset
        if isinstance(self.min_query_coverage, Unset):
            min_query_coverage = UNSET
        else:
            min_query_coverage = self.min_query_coverage

        negative_taxids = self.negative_taxids

        order: str | Unset = UNSET
        if not isinstance(self.order, Unset):
            order = self.order

        pssm: FileTypes | Unset = UNSET
        if not isinstance(self.pssm, Unset):
            pssm = self.pssm.to_tuple()

        query_loc: None | str | Unset
        if isinstance(self.query_loc, Unset):
            query_loc = UNSET
        else:
            query_loc = self.query_loc

        score_distribution = self.score_distribution

        scores: str | Unset = UNSET
        if not isinstance(self.scores, Unset):
            scores = self.scores

        sequence: FileTypes | Unset = UNSET
        if not isinstance(self.sequence, Unset):
            sequence = self.sequence.to_tuple()

        shuffle: str | Unset = UNSET
        if not isinstance(self.shuffle, Unset):
            shuffle = self.shuffle

        shuffle_seed = self.shuffle_seed

        shuffles = self.shuffles

        statistics: str | Unset = UNSET
        if not isinstance(self.statistics, Unset):
            statistics = self.statistics

        taxids = self.taxids

        title = self.title

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if alignments is not UNSET:
            field_dict["alignments"] = alignments
        if composition is not UNSET:
            field_dict["composition"] = composition
        if database is not UNSET:
            field_dict["database"] = database
        if databases is not UNSET:
            field_dict["databases"] = databases
        if dbsize is not UNSET:
            field_dict["dbsize"] = dbsize
        if evalue is not UNSET:
            field_dict["evalue"] = evalue
        if gap_extend is not UNSET:
            field_dict["gap_extend"] = gap_extend
        if gap_open is not UNSET:
            field_dict["gap_open"] = gap_open
        if inclusion_evalue is not UNSET:
            field_dict["inclusion_evalue"] = inclusion_evalue
        if iterations is not UNSET:
            field_dict["iterations"] = iterations
        if mask is not UNSET:
            field_dict["mask"] = mask
        if matrix is not UNSET:
            field_dict["matrix"] = matrix
        if max_hsps is not UNSET:
            field_dict["max_hsps"] = max_hsps
        if max_target_seqs is not UNSET:
            field_dict["max_target_seqs"] = max_target_seqs
        if min_bits is not UNSET:
            field_dict["min_bits"] = min_bits
        if min_identity is not UNSET:
            field_dict["min_identity"] = min_identity
        if min_query_coverage is not UNSET:
            field_dict["min_query_coverage"] = min_query_coverage
        if negative_taxids is not UNSET:
            field_dict["negative_taxids"] = negative_taxids
        if order is not UNSET:
            field_dict["order"] = order
        if pssm is not UNSET:
            field_dict["pssm"] = pssm
        if query_loc is not UNSET:
            field_dict["query_loc"] = query_loc
        if score_distribution is not UNSET:
            field_dict["score_distribution"] = score_distribution
        if scores is not UNSET:
            field_dict["scores"] = scores
        if sequence is not UNSET:
            field_dict["sequence"] = sequence
        if shuffle is not UNSET:
            field_dict["shuffle"] = shuffle
        if shuffle_seed is not UNSET:
            field_dict["shuffle_seed"] = shuffle_seed
        if shuffles is not UNSET:
            field_dict["shuffles"] = shuffles
        if statistics is not UNSET:
            field_dict["statistics"] = statistics
        if taxids is not UNSET:
            field_dict["taxids"] = taxids
        if title is not UNSET:
            field_dict["title"] = title

        return field_dict

    def to_multipart(self) -> types.RequestFiles:
        files: types.RequestFiles = []

        if not isinstance(self.alignments, Unset):
            files.append(("alignments", (None, str(self.alignments).encode(), "text/plain")))

        if not isinstance(self.composition, Unset):
            files.append(("composition", (None, str(self.composition).encode(), "text/plain")))

        if not isinstance(self.database, Unset):
            if isinstance(self.database, str):
                files.append(("database", (None, str(self.database).encode(), "text/plain")))
            else:
                files.append(("database", (None, str(self.database).encode(), "text/plain")))

        if not isinstance(self.databases, Unset):
            if isinstance(self.databases, list):
                for databases_type_0_item_element in self.databases:
                    files.append(("databases", (None, str(databases_type_0_item_element).encode(), "text/plain")))
            else:
                files.append(("databases", (None, str(self.databases).encode(), "text/plain")))

        if not isinstance(self.dbsize, Unset):
            if isinstance(self.dbsize, int):
                files.append(("dbsize", (None, str(self.dbsize).encode(), "text/plain")))
            else:
                files.append(("dbsize", (None, str(self.dbsize).encode(), "text/plain")))

        if not isinstance(self.evalue, Unset):
            files.append(("evalue", (None, str(self.evalue).encode(), "text/plain")))

        if not isinstance(self.gap_extend, Unset):
            if isinstance(self.gap_extend, int):
                files.append(("gap_extend", (None, str(self.gap_extend).encode(), "text/plain")))
            else:
                files.append(("gap_extend", (None, str(self.gap_extend).encode(), "text/plain")))

        if not isinstance(self.gap_open, Unset):
            if isinstance(self.gap_open, int):
                files.append(("gap_open", (None, str(self.gap_open).encode(), "text/plain")))
            else:
                files.append(("gap_open", (None, str(self.gap_open).encode(), "text/plain")))

        if not isinstance(self.inclusion_evalue, Unset):
            files.append(("inclusion_evalue", (None, str(self.inclusion_evalue).encode(), "text/plain")))

        if not isinstance(self.iterations, Unset):
            files.append(("iterations", (None, str(self.iterations).encode(), "text/plain")))

        if not isinstance(self.mask, Unset):
            files.append(("mask", (None, str(self.mask).encode(), "text/plain")))

        if not isinstance(self.matrix, Unset):
            if isinstance(self.matrix, str):
                files.append(("matrix", (None, str(self.matrix).encode(), "text/plain")))
            else:
                files.append(("matrix", (None, str(self.matrix).encode(), "text/plain")))

        if not isinstance(self.max_hsps, Unset):
            files.append(("max_hsps", (None, str(self.max_hsps).encode(), "text/plain")))

        if not isinstance(self.max_target_seqs, Unset):
            files.append(("max_target_seqs", (None, str(self.max_target_seqs).encode(), "text/plain")))

        if not isinstance(self.min_bits, Unset):
            if isinstance(self.min_bits, float):
                files.append(("min_bits", (None, str(self.min_bits).encode(), "text/plain")))
            else:
                files.append(("min_bits", (None, str(self.min_bits).encode(), "text/plain")))

        if not isinstance(self.min_identity, Unset):
            if isinstance(self.min_identity, float):
                files.append(("min_identity", (None, str(self.min_identity).encode(), "text/plain")))
            else:
                files.append(("min_identity", (None, str(self.min_identity).encode(), "text/plain")))

        if not isinstance(self.min_query_coverage, Unset):
            if isinstance(self.min_query_coverage, float):
                files.append(("min_query_coverage", (None, str(self.min_query_coverage).encode(), "text/plain")))
            else:
                files.append(("min_query_coverage", (None, str(self.min_query_coverage).encode(), "text/plain")))

        if not isinstance(self.negative_taxids, Unset):
            files.append(("negative_taxids", (None, str(self.negative_taxids).encode(), "text/plain")))

        if not isinstance(self.order, Unset):
            files.append(("order", (None, str(self.order).encode(), "text/plain")))

        if not isinstance(self.pssm, Unset):
            files.append(("pssm", self.pssm.to_tuple()))

        if not isinstance(self.query_loc, Unset):
            if isinstance(self.query_loc, str):
                files.append(("query_loc", (None, str(self.query_loc).encode(), "text/plain")))
            else:
                files.append(("query_loc", (None, str(self.query_loc).encode(), "text/plain")))

        if not isinstance(self.score_distribution, Unset):
            files.append(("score_distribution", (None, str(self.score_distribution).encode(), "text/plain")))

        if not isinstance(self.scores, Unset):
            files.append(("scores", (None, str(self.scores).encode(), "text/plain")))

        if not isinstance(self.sequence, Unset):
            files.append(("sequence", self.sequence.to_tuple()))

        if not isinstance(self.shuffle, Unset):
            files.append(("shuffle", (None, str(self.shuffle).encode(), "text/plain")))

        if not isinstance(self.shuffle_seed, Unset):
            files.append(("shuffle_seed", (None, str(self.shuffle_seed).encode(), "text/plain")))

        if not isinstance(self.shuffles, Unset):
            files.append(("shuffles", (None, str(self.shuffles).encode(), "text/plain")))

        if not isinstance(self.statistics, Unset):
            files.append(("statistics", (None, str(self.statistics).encode(), "text/plain")))

        if not isinstance(self.taxids, Unset):
            files.append(("taxids", (None, str(self.taxids).encode(), "text/plain")))

        if not isinstance(self.title, Unset):
            files.append(("title", (None, str(self.title).encode(), "text/plain")))

        return files

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        alignments = d.pop("alignments", UNSET)

        _composition = d.pop("composition", UNSET)
        composition: Composition | Unset
        if isinstance(_composition, Unset):
            composition = UNSET
        else:
            composition = check_composition(_composition)

        def _parse_database(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        database = _parse_database(d.pop("database", UNSET))

        def _parse_databases(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                databases_type_0 = cast(list[str], data)

                return databases_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        databases = _parse_databases(d.pop("databases", UNSET))

        def _parse_dbsize(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        dbsize = _parse_dbsize(d.pop("dbsize", UNSET))

        evalue = d.pop("evalue", UNSET)

        def _parse_gap_extend(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        gap_extend = _parse_gap_extend(d.pop("gap_extend", UNSET))

        def _parse_gap_open(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        gap_open = _parse_gap_open(d.pop("gap_open", UNSET))

        inclusion_evalue = d.pop("inclusion_evalue", UNSET)

        iterations = d.pop("iterations", UNSET)

        _mask = d.pop("mask", UNSET)
        mask: Mask | Unset
        if isinstance(_mask, Unset):
            mask = UNSET
        else:
            mask = check_mask(_mask)

        def _parse_matrix(data: object) -> MatrixName | str | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                matrix_type_0 = check_matrix_name(data)

                return matrix_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MatrixName | str | Unset, data)

        matrix = _parse_matrix(d.pop("matrix", UNSET))

        max_hsps = d.pop("max_hsps", UNSET)

        max_target_seqs = d.pop("max_target_seqs", UNSET)

        def _parse_min_bits(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        min_bits = _parse_min_bits(d.pop("min_bits", UNSET))

        def _parse_min_identity(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        min_identity = _parse_min_identity(d.pop("min_identity", UNSET))

        def _parse_min_query_coverage(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        min_query_coverage = _parse_min_query_coverage(d.pop("min_query_coverage", UNSET))

        negative_taxids = d.pop("negative_taxids", UNSET)

        _order = d.pop("order", UNSET)
        order: HitOrder | Unset
        if isinstance(_order, Unset):
            order = UNSET
        else:
            order = check_hit_order(_order)

        _pssm = d.pop("pssm", UNSET)
        pssm: File | Unset
        if isinstance(_pssm, Unset):
            pssm = UNSET
        else:
            pssm = File(payload=BytesIO(_pssm))

        def _parse_query_loc(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        query_loc = _parse_query_loc(d.pop("query_loc", UNSET))

        score_distribution = d.pop("score_distribution", UNSET)

        _scores = d.pop("scores", UNSET)
        scores: KeptScores | Unset
        if isinstance(_scores, Unset):
            scores = UNSET
        else:
            scores = check_kept_scores(_scores)

        _sequence = d.pop("sequence", UNSET)
        sequence: File | Unset
        if isinstance(_sequence, Unset):
            sequence = UNSET
        else:
            sequence = File(payload=BytesIO(_sequence))

        _shuffle = d.pop("shuffle", UNSET)
        shuffle: Shuffle | Unset
        if isinstance(_shuffle, Unset):
            shuffle = UNSET
        else:
            shuffle = check_shuffle(_shuffle)

        shuffle_seed = d.pop("shuffle_seed", UNSET)

        shuffles = d.pop("shuffles", UNSET)

        _statistics = d.pop("statistics", UNSET)
        statistics: StatisticsMethod | Unset
        if isinstance(_statistics, Unset):
            statistics = UNSET
        else:
            statistics = check_statistics_method(_statistics)

        taxids = d.pop("taxids", UNSET)

        title = d.pop("title", UNSET)

        search_upload = cls(
            alignments=alignments,
            composition=composition,
            database=database,
            databases=databases,
            dbsize=dbsize,
            evalue=evalue,
            gap_extend=gap_extend,
            gap_open=gap_open,
            inclusion_evalue=inclusion_evalue,
            iterations=iterations,
            mask=mask,
            matrix=matrix,
            max_hsps=max_hsps,
            max_target_seqs=max_target_seqs,
            min_bits=min_bits,
            min_identity=min_identity,
            min_query_coverage=min_query_coverage,
            negative_taxids=negative_taxids,
            order=order,
            pssm=pssm,
            query_loc=query_loc,
            score_distribution=score_distribution,
            scores=scores,
            sequence=sequence,
            shuffle=shuffle,
            shuffle_seed=shuffle_seed,
            shuffles=shuffles,
            statistics=statistics,
            taxids=taxids,
            title=title,
        )

        return search_upload
