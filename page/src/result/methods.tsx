// What was done in a search: in words and constants, as code, and parameter by parameter.
import { boot, type Search, type SearchRequest, type SearchResult } from "../api";
import { LABELS } from "../form/values";
import { Made, usedOf } from "../made";
import { count, day, plural } from "../numbers";
import { Icon, save } from "../parts";
import type { Same } from "../repeat";
import { useAnswer } from "../trouble";
import type { Part } from "./load";
import { ADJUSTED, databasesText, scoredText, softwareText, STATISTICS } from "./words";

type Parameters = SearchResult["parameters"];

export function Methods({ search, part }: { search: Search; part: Part }) {
  const request = useAnswer<SearchRequest>(`/v1/searches/${search.id}/request`);
  const { statistics } = part.one;
  const { parameters } = part.whole;
  const { fit } = statistics;
  const constants: [string, number | null][] = fit
    ? [["ρ", fit.rho], ["μ", fit.mu], ["variance", fit.variance], ["Subjects fitted", fit.subjects]]
    : [["λ", statistics.lambda], ["K", statistics.kappa], ["H", statistics.entropy], ["Search space", statistics.eff_space]];
  const same = request && sameOf(request, parameters);
  const [input] = same?.inputs ?? [];
  const saveInput = () => save(input!.file, "text/plain", String(request![input!.field] ?? ""));
  const saveRequest = () => save(`${search.id}.request.json`, "application/json", `${JSON.stringify(request, null, 1)}\n`);
  return (
    <Made
      text={methodsText(search, part)}
      constants={constants.map(([name, value]) => [name, constantText(value)])}
      same={same}
      files={[{ what: input?.field === "pssm" ? "the profile" : "the queries", save: saveInput }]}
      used={usedOf({ ...LABELS, ...BESIDES, ...(parameters.shuffles ? OF_SHUFFLES : {}) }, parameters)}
    >
      {" "}The whole request is also one file: <button type="button" class="link" onClick={saveRequest}><Icon name="download" />request.json</button>.
    </Made>
  );
}

/** A request with nothing left to the server's defaults, which another version may have others of. */
function sameOf({ sequence: _, pssm, ...request }: SearchRequest, parameters: Parameters): Same {
  const fields: { [name: string]: unknown } = { ...request, ...parameters };
  if (parameters.statistics === "none") delete fields.evalue;
  const profile = typeof pssm === "string";
  return {
    kind: "searches",
    fields,
    inputs: [profile ? { field: "pssm", file: "profile.json", as: "text" } : { field: "sequence", file: "queries.fasta", as: "text" }],
    format: "format=json",
    file: "result.json",
    python: `for one in json.loads(result)["results"]:
    for hit in one["hits"]:
        print(one["query"]["id"], hit["accession"], hit["score"], hit["evalue"], sep="\\t")
`,
    call: "search",
    client: `for one in found.results:
    for hit in one.hits:
        print(one.query.id, hit.accession, hit.score, hit.evalue, sep="\\t")
`,
  };
}

/** What the form does not have. */
const BESIDES = { mask: "Mask", scores: "Scores kept", dbsize: "Residues for E-values", score_distribution: "Distribution of all scores", shuffles: "Shuffles of each hit" };
const OF_SHUFFLES = { shuffle: "What is shuffled", shuffle_seed: "Seed of the shuffles" };

function constantText(value: number | null): string {
  if (value === null) return "–";
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
}

const MASKS: { [method: string]: string } = {
  soft: "lower case",
  seg: "SEG's rules",
  tantan: "tantan's rules",
};

/** Which part of the database was searched, if not all. */
function taxaText({ taxids, negative_taxids: others }: Parameters, databases: SearchResult["databases"]): string {
  const searched = (databases ?? []).flatMap((each) => each.searched ?? []);
  if (!searched.length) return "";
  const wanted = taxids?.length ? `of ${taxids.length > 1 ? "taxa" : "taxon"} ${taxids.join(", ")}` : "";
  const left = others?.length ? `not of ${others.length > 1 ? "taxa" : "taxon"} ${others.join(", ")}` : "";
  const below = searched.every((each) => each.by_tree) ? ", with all that descends from each," : "";
  return `Only sequences ${[wanted, left].filter(Boolean).join(" and ")}${below} were searched. `;
}

/** A paragraph for a paper. */
function methodsText(search: Search, { whole, one }: Part): string {
  const { parameters, certificate, software } = whole;
  const databases = whole.databases?.length ? whole.databases : [whole.database];
  const thresholds = [
    parameters.statistics === "none" ? "" : `E-value at most ${parameters.evalue}`,
    parameters.min_bits === null ? "" : `bit score at least ${parameters.min_bits}`,
    parameters.min_identity === null ? "" : `identity at least ${parameters.min_identity} %`,
    parameters.min_query_coverage === null ? "" : `query coverage at least ${parameters.min_query_coverage} %`,
  ].filter(Boolean);
  const order = parameters.order === "evalue" && one.statistics.method !== "none" ? "E-value" : "raw score";
  const within = thresholds.length ? `, with ${thresholds.join(", ")}` : "";
  const { lambda, kappa, fit } = one.statistics;
  const published = lambda && kappa ? ` (λ = ${constantText(lambda)}, K = ${constantText(kappa)})` : "";
  const constants = fit && one.statistics.method === "fitted"
    ? ` (score = ${constantText(fit.rho)} ln(length) + ${constantText(fit.mu)}, variance ${constantText(fit.variance)})`
    : published;
  const queries = boot.queries ?? 1;
  return (
    `${plural(queries, "protein sequence was", "protein sequences were")} searched on ${day(search.created_at)} with ${softwareText(software)} against ${databasesText(databases)}, ` +
    `${count(certificate.subjects)} sequences, ${count(certificate.residues)} residues. ` +
    scoredText(parameters) +
    `${STATISTICS[one.statistics.method] ?? `Statistics: ${one.statistics.method}`}${constants && queries > 1 ? `, for the query ${one.query.id}${constants}` : constants}. ` +
    (parameters.dbsize ? `E-values are for a database of ${count(parameters.dbsize)} residues. ` : "") +
    (one.statistics.mask ? `Letters masked by ${MASKS[one.statistics.mask.method] ?? one.statistics.mask.method} counted as X in E-values. ` : "") +
    (one.statistics.composition ? ADJUSTED : "") +
    profileText(search, whole, one) +
    (parameters.shuffles ? `The score of each hit was compared with those of ${count(parameters.shuffles)} shuffles. ` : "") +
    taxaText(parameters, whole.databases) +
    (parameters.query_loc ? `Residues ${parameters.query_loc} of each query were searched. ` : "") +
    `The best ${count(parameters.max_target_seqs)} subjects of each query by ${order} were reported${within}.`
  );
}

function profileText({ title }: Search, { parameters }: Part["whole"], { query, rounds = [] }: Part["one"]): string {
  if (rounds.length > 1) {
    return `${rounds.length} rounds were made, each but the first with a position-specific scoring matrix of the hits of the round before with E-values up to ${parameters.inclusion_evalue}, by PSI-BLAST's rules. `;
  }
  return query.profile ? `The query was a position-specific scoring matrix${title && `, “${title}”`}, whose scores took the place of the matrix's. ` : "";
}
