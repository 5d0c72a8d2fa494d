"""Contains all the data models used in inputs/outputs"""

from .adjustment import Adjustment
from .aligned_pair import AlignedPair
from .alignment import Alignment
from .alignment_end import AlignmentEnd
from .alignment_estimate import AlignmentEstimate
from .alignment_links import AlignmentLinks
from .alignment_mode import AlignmentMode
from .alignment_page import AlignmentPage
from .alignment_progress import AlignmentProgress
from .alignment_report import AlignmentReport
from .alignment_request import AlignmentRequest
from .alignment_result import AlignmentResult
from .alignment_strands import AlignmentStrands
from .certificate import Certificate
from .certified_shard import CertifiedShard
from .chain_pairing import ChainPairing
from .compared_strands import ComparedStrands
from .comparison import Comparison
from .comparison_bounds import ComparisonBounds
from .comparison_certificate import ComparisonCertificate
from .comparison_estimate import ComparisonEstimate
from .comparison_format import ComparisonFormat
from .comparison_links import ComparisonLinks
from .comparison_page import ComparisonPage
from .comparison_parameters import ComparisonParameters
from .comparison_progress import ComparisonProgress
from .comparison_records import ComparisonRecords
from .comparison_request import ComparisonRequest
from .comparison_result import ComparisonResult
from .complex_ import Complex
from .composition import Composition
from .counts import Counts
from .coverage import Coverage
from .database_alphabet import DatabaseAlphabet
from .database_info import DatabaseInfo
from .database_info_replaced import DatabaseInfoReplaced
from .database_list import DatabaseList
from .database_name import DatabaseName
from .database_part import DatabasePart
from .database_sequences import DatabaseSequences
from .database_state import DatabaseState
from .database_taxonomy import DatabaseTaxonomy
from .database_used import DatabaseUsed
from .difference import Difference
from .distribution import Distribution
from .evalues import Evalues
from .extension import Extension
from .fit import Fit
from .gap_costs import GapCosts
from .gapped import Gapped
from .gapped_summary import GappedSummary
from .genome_hsp import GenomeHsp
from .genome_record import GenomeRecord
from .genome_side import GenomeSide
from .goodness import Goodness
from .health import Health
from .hit import Hit
from .hit_order import HitOrder
from .hit_taxon import HitTaxon
from .hit_taxon_list import HitTaxonList
from .hsp import Hsp
from .karlin_altschul import KarlinAltschul
from .kept_scores import KeptScores
from .kind_counts import KindCounts
from .links import Links
from .mask import Mask
from .masked import Masked
from .masked_range import MaskedRange
from .matrix_costs import MatrixCosts
from .matrix_name import MatrixName
from .msa_chain import MsaChain
from .msa_columns import MsaColumns
from .msa_databases import MsaDatabases
from .msa_estimate import MsaEstimate
from .msa_filter import MsaFilter
from .msa_format import MsaFormat
from .msa_links import MsaLinks
from .msa_members import MsaMembers
from .msa_parameters import MsaParameters
from .msa_request import MsaRequest
from .msa_round import MsaRound
from .msa_stage import MsaStage
from .msas import Msas
from .msas_page import MsasPage
from .msas_progress import MsasProgress
from .organization import Organization
from .own_matrix import OwnMatrix
from .pair_alphabet import PairAlphabet
from .pair_bounds import PairBounds
from .pair_certificate import PairCertificate
from .pair_certificate_ways import PairCertificateWays
from .pair_format import PairFormat
from .pair_parameters import PairParameters
from .pairing import Pairing
from .parameter import Parameter
from .parameter_list import ParameterList
from .parameter_usual_type_0 import ParameterUsualType0
from .parameter_value import ParameterValue
from .parameters import Parameters
from .policy import Policy
from .problem import Problem
from .problem_detail import ProblemDetail
from .progress import Progress
from .pssm_format import PssmFormat
from .query import Query
from .query_mask import QueryMask
from .query_replaced import QueryReplaced
from .query_result import QueryResult
from .query_warning import QueryWarning
from .readiness import Readiness
from .record_coverage import RecordCoverage
from .region_asked import RegionAsked
from .result_format import ResultFormat
from .round_report import RoundReport
from .score_format import ScoreFormat
from .score_range import ScoreRange
from .search import Search
from .search_estimate import SearchEstimate
from .search_form import SearchForm
from .search_page import SearchPage
from .search_phase import SearchPhase
from .search_request import SearchRequest
from .search_result import SearchResult
from .search_state import SearchState
from .search_upload import SearchUpload
from .search_warning import SearchWarning
from .searched_database import SearchedDatabase
from .sensitivity import Sensitivity
from .sequence import Sequence
from .sequence_batch import SequenceBatch
from .sequence_format import SequenceFormat
from .sequence_list import SequenceList
from .sequence_name import SequenceName
from .sequence_page import SequencePage
from .service_info import ServiceInfo
from .service_limits import ServiceLimits
from .service_type import ServiceType
from .shard_health import ShardHealth
from .shards import Shards
from .shuffle import Shuffle
from .shuffled import Shuffled
from .side_coverage import SideCoverage
from .signature import Signature
from .signing_key import SigningKey
from .simulated import Simulated
from .size import Size
from .software import Software
from .spread import Spread
from .statistics_method import StatisticsMethod
from .statistics_used import StatisticsUsed
from .strand import Strand
from .strand_summary import StrandSummary
from .stretch import Stretch
from .stretch_alignment import StretchAlignment
from .summary import Summary
from .synteny import Synteny
from .synteny_block import SyntenyBlock
from .synteny_kind import SyntenyKind
from .upload import Upload
from .upload_bounds import UploadBounds
from .upload_kind import UploadKind
from .upload_page import UploadPage
from .uploaded_sequences import UploadedSequences
from .verification import Verification
from .verification_links import VerificationLinks
from .verification_report import VerificationReport
from .worker_info import WorkerInfo
from .worker_list import WorkerList
from .worker_state import WorkerState

__all__ = (
    "Adjustment",
    "AlignedPair",
    "Alignment",
    "AlignmentEnd",
    "AlignmentEstimate",
    "AlignmentLinks",
    "AlignmentMode",
    "AlignmentPage",
    "AlignmentProgress",
    "AlignmentReport",
    "AlignmentRequest",
    "AlignmentResult",
    "AlignmentStrands",
    "Certificate",
    "CertifiedShard",
    "ChainPairing",
    "ComparedStrands",
    "Comparison",
    "ComparisonBounds",
    "ComparisonCertificate",
    "ComparisonEstimate",
    "ComparisonFormat",
    "ComparisonLinks",
    "ComparisonPage",
    "ComparisonParameters",
    "ComparisonProgress",
    "ComparisonRecords",
    "ComparisonRequest",
    "ComparisonResult",
    "Complex",
    "Composition",
    "Counts",
    "Coverage",
    "DatabaseAlphabet",
    "DatabaseInfo",
    "DatabaseInfoReplaced",
    "DatabaseList",
    "DatabaseName",
    "DatabasePart",
    "DatabaseSequences",
    "DatabaseState",
    "DatabaseTaxonomy",
    "DatabaseUsed",
    "Difference",
    "Distribution",
    "Evalues",
    "Extension",
    "Fit",
    "GapCosts",
    "Gapped",
    "GappedSummary",
    "GenomeHsp",
    "GenomeRecord",
    "GenomeSide",
    "Goodness",
    "Health",
    "Hit",
    "HitOrder",
    "HitTaxon",
    "HitTaxonList",
    "Hsp",
    "KarlinAltschul",
    "KeptScores",
    "KindCounts",
    "Links",
    "Mask",
    "Masked",
    "MaskedRange",
    "MatrixCosts",
    "MatrixName",
    "MsaChain",
    "MsaColumns",
    "MsaDatabases",
    "MsaEstimate",
    "MsaFilter",
    "MsaFormat",
    "MsaLinks",
    "MsaMembers",
    "MsaParameters",
    "MsaRequest",
    "MsaRound",
    "Msas",
    "MsasPage",
    "MsasProgress",
    "MsaStage",
    "Organization",
    "OwnMatrix",
    "PairAlphabet",
    "PairBounds",
    "PairCertificate",
    "PairCertificateWays",
    "PairFormat",
    "Pairing",
    "PairParameters",
    "Parameter",
    "ParameterList",
    "Parameters",
    "ParameterUsualType0",
    "ParameterValue",
    "Policy",
    "Problem",
    "ProblemDetail",
    "Progress",
    "PssmFormat",
    "Query",
    "QueryMask",
    "QueryReplaced",
    "QueryResult",
    "QueryWarning",
    "Readiness",
    "RecordCoverage",
    "RegionAsked",
    "ResultFormat",
    "RoundReport",
    "ScoreFormat",
    "ScoreRange",
    "Search",
    "SearchedDatabase",
    "SearchEstimate",
    "SearchForm",
    "SearchPage",
    "SearchPhase",
    "SearchRequest",
    "SearchResult",
    "SearchState",
    "SearchUpload",
    "SearchWarning",
    "Sensitivity",
    "Sequence",
    "SequenceBatch",
    "SequenceFormat",
    "SequenceList",
    "SequenceName",
    "SequencePage",
    "ServiceInfo",
    "ServiceLimits",
    "ServiceType",
    "ShardHealth",
    "Shards",
    "Shuffle",
    "Shuffled",
    "SideCoverage",
    "Signature",
    "SigningKey",
    "Simulated",
    "Size",
    "Software",
    "Spread",
    "StatisticsMethod",
    "StatisticsUsed",
    "Strand",
    "StrandSummary",
    "Stretch",
    "StretchAlignment",
    "Summary",
    "Synteny",
    "SyntenyBlock",
    "SyntenyKind",
    "Upload",
    "UploadBounds",
    "UploadedSequences",
    "UploadKind",
    "UploadPage",
    "Verification",
    "VerificationLinks",
    "VerificationReport",
    "WorkerInfo",
    "WorkerList",
    "WorkerState",
)
