// For the paper and for the next person: what was done, in words and constants, and how to do it again.
import { useState } from "preact/hooks";
import { boot, type Search, type SearchRequest, type SearchResult } from "../api";
import { count, day } from "../numbers";
import { CopyButton, Icon, Panel, save } from "../parts";
import { useAnswer } from "../trouble";
import type { Part } from "./load";
import { curlText, KEY_VARIABLE, pythonText, queryFile, withParameters } from "./repeat";

export function Methods({ search, part }: { search: Search; part: Part }) {
  return (
    <>
      <MethodsBox search={search} part={part} />
      <Repeat search={search} parameters={part.whole.parameters} />
    </>
  );
}

function MethodsBox({ search, part }: { search: Search; part: Part }) {
  const text = methodsText(search, part);
  const { statistics } = part.one;
  const { fit } = statistics;
  const constants: [string, number | null][] = fit
    ? [["ρ", fit.rho], ["μ", fit.mu], ["variance", fit.variance], ["Subjects fitted", fit.subjects]]
    : [["λ", statistics.lambda], ["K", statistics.kappa], ["H", statistics.entropy], ["Search space", statistics.eff_space]];
  return (
    <Panel title="Methods" aside={<CopyButton text={text} label="Copy text" />} class="methods">
      <p>{text}</p>
      <dl class="facts">
        {constants.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{constantText(value)}</dd></div>)}
      </dl>
    </Panel>
  );
}

function constantText(value: number | null): string {
  if (value === null) return "–";
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
}

const STATISTICS: { [method: string]: string } = {
  table: "E-values were computed with published Karlin-Altschul parameters and finite-size correction",
  "karlin-altschul": "E-values were computed by the Karlin-Altschul formula with effective lengths",
  simulated: "E-values were computed with simulated Karlin-Altschul parameters and finite-size correction",
  fitted: "E-values were computed from an extreme-value distribution fitted to the scores of all subjects by regression on the logarithm of their lengths",
  none: "Hits were ranked by raw score; no E-values were computed",
};

const MASKS: { [method: string]: string } = {
  soft: "lower case",
  seg: "SEG's rules",
  tantan: "tantan's rules",
};

/** Which part of the database was searched, if not all. */
function taxaText({ taxids, negative_taxids: others }: SearchResult["parameters"], databases: SearchResult["databases"]): string {
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
  const commit = software.commit === "unknown" ? "" : `, commit ${software.commit.slice(0, 12)}`;
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
  return (
    `Protein sequences were searched on ${day(search.created_at)} with Shardwater ${software.version}${commit} against ` +
    `${databases.map(databaseText).join(", and ")}${databases.length > 1 ? " as one" : ""}, ` +
    `${count(certificate.subjects)} sequences, ${count(certificate.residues)} residues. ` +
    `Every sequence was scored by the exact Smith-Waterman algorithm with affine gaps, without heuristics: ` +
    `${parameters.matrix}, a gap of n residues costing ${parameters.gap_open} + ${parameters.gap_extend}n. ` +
    `${STATISTICS[one.statistics.method] ?? `Statistics: ${one.statistics.method}`}${constants}. ` +
    (one.statistics.mask ? `Letters masked by ${MASKS[one.statistics.mask.method] ?? one.statistics.mask.method} counted as X in E-values. ` : "") +
    (one.statistics.composition ? "E-values were adjusted to the composition and the repeats of the aligned stretches. " : "") +
    profileText(whole, one) +
    taxaText(parameters, whole.databases) +
    (parameters.query_loc ? `Residues ${parameters.query_loc} of each query were searched. ` : "") +
    `The best ${count(parameters.max_target_seqs)} subjects of each query by ${order} were reported${within}.`
  );
}

function databaseText({ name, version }: SearchResult["database"]): string {
  const known = boot.databases.find((each) => each.name === name && each.version === version);
  const title = known?.title ? ` (${known.title})` : "";
  return `${name}${title}, version ${version}${known ? `, built ${day(known.created_at)}` : ""}`;
}

function profileText({ parameters }: Part["whole"], { query, rounds = [] }: Part["one"]): string {
  if (rounds.length > 1) {
    return `${rounds.length} rounds were made, each but the first with a position-specific scoring matrix of the hits of the round before with E-values up to ${parameters.inclusion_evalue}, by PSI-BLAST's rules. `;
  }
  return query.profile ? "The query was a position-specific scoring matrix, whose scores took the place of the matrix's. " : "";
}

function Repeat({ search, parameters }: { search: Search; parameters: SearchResult["parameters"] }) {
  const request = useAnswer<SearchRequest>(`/v1/searches/${search.id}/request`);
  const [kind, setKind] = useState<"curl" | "python">("curl");
  if (!request) return null;
  const whole = withParameters(request, parameters);
  const text = kind === "curl" ? curlText(whole) : pythonText(whole);
  const file = queryFile(request);
  const saveQueries = () => save(file.name, file.type, String(request[file.field] ?? ""));
  const saveRequest = () => save(`${search.id}.request.json`, "application/json", `${JSON.stringify(request, null, 1)}\n`);
  return (
    <Panel
      title="The same search, without this page"
      class="repeat"
      aside={
        <div class="row">
          <div class="tabs" role="group" aria-label="Language">
            <button type="button" aria-pressed={kind === "curl"} onClick={() => setKind("curl")}>curl</button>
            <button type="button" aria-pressed={kind === "python"} onClick={() => setKind("python")}>Python</button>
          </div>
          <CopyButton text={text} />
        </div>
      }
    >
      <p>
        Save {file.field === "pssm" ? "the profile" : "the queries"} as <button type="button" class="link" onClick={saveQueries}><Icon name="download" />{file.name}</button>, then run
        {kind === "curl" ? " this. A search of more than 60 seconds answers with its state, and links.results has the result once it has ended." : " this with any Python 3."}
        {boot.door && <> It takes your API key from the variable <span class="mono">{KEY_VARIABLE}</span>: this page has no key that it could show.</>}
        {" "}The whole request is also one file: <button type="button" class="link" onClick={saveRequest}><Icon name="download" />request.json</button>.
      </p>
      <pre class="code" tabIndex={0} role="region" aria-label={`The search as ${kind}`}>{text}</pre>
    </Panel>
  );
}
