// A comparison in numbers: what was found and how completely, coverage, and how the genomes are rearranged.
import { useState } from "preact/hooks";
import { amount, count, percentText, plural, seconds } from "../numbers";
import { Icon, Panel } from "../parts";
import { usePrinting } from "../printing";
import type { Block, Comparison, Summary } from "./types";

const BLOCKS_SHOWN = 20;
const BLOCKS_PRINTED = 200;

export function Certificate({ comparison, summary }: { comparison: Comparison; summary: Summary }) {
  const { certificate, parameters } = comparison;
  const { policy } = summary;
  const took = comparison.finished_at ? (Date.parse(comparison.finished_at) - Date.parse(comparison.created_at)) / 1000 : null;
  const seeds = summary.strands.reduce((sum, { counts }) => sum + counts.seeds, 0);
  return (
    <details class={policy.all_seeds ? "certificate" : "certificate sampled"}>
      <summary>
        <span class="seal"><Icon name={policy.all_seeds ? "check" : "warning"} />{policy.all_seeds ? "All seeds followed" : "Frequent words sampled"}</span>
        <span>{count(summary.query.letters)} against {count(summary.subject.letters)} letters</span>
      </summary>
      <p>
        Every pair of equal words of {parameters.word} letters is a seed; {policy.all_seeds
          ? "each was followed to the shared stretch that it is part of."
          : `of ${plural(policy.sampled_words, "word")} with very many places not all seeds were followed${policy.least_frequency ? `, ${count(policy.least_frequency)} runs of each at most` : ""}.`}{" "}
        Stretches of at least {count(parameters.min_length)} letters with {parameters.min_identity} % identity are listed; their matches are counted letter by letter.
      </p>
      <dl class="facts">
        <div><dt>Seeds</dt><dd>{amount(seeds)}</dd></div>
        <div><dt>Parts</dt><dd>{count(certificate?.parts ?? 0)}</dd></div>
        {took !== null && <div><dt>Time</dt><dd>{seconds(took)}</dd></div>}
      </dl>
      <div class="scroll" tabIndex={0} role="region" aria-label="Counts of each strand">
        <table class="plain">
          <thead><tr><th>Strand</th><th class="num">Seeds</th><th class="num">Runs</th><th class="num">Extended</th><th class="num">HSPs</th></tr></thead>
          <tbody>
            {summary.strands.map(({ strand, hsps, counts }) => (
              <tr key={strand}>
                <td>{strand === "+" ? "forward" : "reverse"}</td>
                {[counts.seeds, counts.runs, counts.kept].map((value, place) => <td key={place} class="num">{count(value)}</td>)}
                <td class="num">{count(hsps)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {certificate && <p class="dim">Computed by {certificate.engines.join(", ")}, Shardwater {certificate.software}</p>}
    </details>
  );
}

export const hspsOf = (summary: Summary): number => summary.strands.reduce((sum, { hsps }) => sum + hsps, 0);

const KINDS: { kind: Block["kind"]; one: string; many: string }[] = [
  { kind: "collinear", one: "in order", many: "in order" },
  { kind: "inversion", one: "inversion", many: "inversions" },
  { kind: "translocation", one: "translocation", many: "translocations" },
  { kind: "duplication", one: "duplication", many: "duplications" },
  { kind: "repeat", one: "repeat", many: "repeats" },
];

/** What brings a block into view; nothing where its records cannot be told. */
type Showing = (block: Block) => (() => void) | undefined;

/** What was found, in numbers. */
export function Figures({ summary }: { summary: Summary }) {
  const { coverage, synteny, gapped } = summary;
  return (
    <Panel class="query-head">
      <dl class="facts">
        <div><dt>HSPs</dt><dd>{count(hspsOf(summary))}</dd></div>
        <div><dt>Equal letters in them</dt><dd>{count(summary.matches)}</dd></div>
        <div><dt>Query covered</dt><dd>{percentText(coverage.query.percent, 2)} %</dd></div>
        <div><dt>Subject covered</dt><dd>{percentText(coverage.subject.percent, 2)} %</dd></div>
        {gapped && <div><dt>Alignments with gaps</dt><dd>{count(gapped.alignments)}</dd></div>}
        <div><dt>Chains</dt><dd>{count(synteny.chains)}</dd></div>
      </dl>
    </Panel>
  );
}

export function Blocks({ synteny, showing }: { synteny: Summary["synteny"]; showing: Showing }) {
  const [kind, setKind] = useState<Block["kind"] | "">("");
  const [all, setAll] = useState(false);
  const blocks = kind ? synteny.blocks.filter((block) => block.kind === kind) : synteny.blocks;
  const printing = usePrinting();
  const shown = printing ? blocks.slice(0, BLOCKS_PRINTED) : all ? blocks : blocks.slice(0, BLOCKS_SHOWN);
  if (synteny.blocks.length === 0) return <Panel title="Blocks of synteny"><p>There are none: no stretches that follow each other are long enough.</p></Panel>;
  return (
    <Panel title="Blocks of synteny" class="blocks">
      <div class="presets" role="group" aria-label="Kinds of blocks">
        <button type="button" class="chip" aria-pressed={kind === ""} onClick={() => setKind("")}>All blocks</button>
        {KINDS.filter((each) => synteny.counts[each.kind]).map((each) => (
          <button key={each.kind} type="button" class="chip" aria-pressed={kind === each.kind} onClick={() => setKind(each.kind)}>
            {count(synteny.counts[each.kind])} {synteny.counts[each.kind] === 1 ? each.one : each.many}
          </button>
        ))}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Blocks of synteny">
        <table class="plain">
          <thead><tr><th>Block</th><th>Query</th><th>Subject</th><th>Strand</th><th class="num">Length</th><th class="num">Identity %</th></tr></thead>
          <tbody>
            {shown.map((block, place) => (
              <tr key={place}>
                <td><Shown block={block} onShow={showing(block)} /></td>
                <td>{block.query} {count(block.query_from)}–{count(block.query_to)}</td>
                <td>{block.subject} {count(block.subject_from)}–{count(block.subject_to)}</td>
                <td>{block.strand === "+" ? "forward" : "reverse"}</td>
                <td class="num">{count(block.length)}</td>
                <td class="num">{percentText(block.identity)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < blocks.length && <button type="button" class="link no-print" onClick={() => setAll(true)}>Show all {count(blocks.length)}</button>}
      {printing && shown.length < blocks.length && <p class="dim">Printed: the first {count(shown.length)} of {count(blocks.length)}. The page and its downloads have all.</p>}
    </Panel>
  );
}

function Shown({ block, onShow }: { block: Block; onShow: (() => void) | undefined }) {
  const kind = KINDS.find((each) => each.kind === block.kind)?.one ?? block.kind;
  return onShow ? <button type="button" class="link" onClick={onShow}>{kind}</button> : <span title="Several records have a name of it.">{kind}</span>;
}
