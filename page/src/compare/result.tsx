// A finished comparison: the plot, the list of what is in view, and a box of it aligned exactly.
import { useMemo, useState } from "preact/hooks";
import { absolute, type Problem } from "../api";
import { titleOf } from "../history";
import { count, plural } from "../numbers";
import { CopyButton, Panel } from "../parts";
import { ResultHead } from "../result-head";
import { Trouble, useLost } from "../trouble";
import { Aligned } from "./aligned";
import { useAlignment } from "./aligning";
import type { Sides } from "./axes";
import { areaOf, BoxForm, chosenOf, strandOf, type Chosen } from "./box";
import { Downloads } from "./downloads";
import { isNamed, recordsOf, type Genome } from "./genomes";
import { MOST_ALIGNMENTS } from "./alignments";
import { MOST_ROWS, nounOf, type Area, type Hsps } from "./hsps";
import { hashOf } from "./link";
import { List } from "./list";
import { useFound, useSides, type Kind } from "./load";
import { useLook } from "./look";
import { LONGEST_FIRST, passing, type Order } from "./order";
import { useRow } from "./marked";
import { Methods } from "./methods";
import { Plot } from "./plot";
import { Blocks, Certificate, Figures, hspsOf } from "./summary";
import type { Block, Comparison, Summary } from "./types";
import { around, isWhole, middleOf, wholeOf, zoomed } from "./view";

/** Of a box that nobody has drawn, along either side at most: aligned in a moment. */
const BOX_LETTERS = 20_000;
const SAME = "Both genomes are the same: the main diagonal is left out.";

export function ResultPage({ comparison, summary, lost }: { comparison: Comparison; summary: Summary; lost(problem: Problem): void }) {
  const { gapped } = summary;
  const { sides, problem: missing } = useSides(comparison.id);
  const [wanted, setWanted] = useState<Kind>(gapped ? "alignments" : "hsps");
  // Only by their names are records told apart in the list of alignments.
  const named = !sides || (isNamed(sides.query) && isNamed(sides.subject));
  const kind = named ? wanted : "hsps";
  const { loaded, share, problem } = useFound(comparison.id, sides, kind, kind === "hsps" ? hspsOf(summary) : (gapped?.alignments ?? 0));
  useLost(problem ?? missing, lost);
  const [known] = useState(() => titleOf(comparison));
  const title = known || (sides ? `${firstOf(sides.query)} and ${firstOf(sides.subject)}` : "Comparison");
  const loading = <span role="status">Loading the {kind === "hsps" ? "HSPs" : "alignments"}…</span>;
  // Names may be long: what is below the title would move when they arrive.
  if (!known && !sides && !missing) return <div key="unnamed" class="result"><Panel class="plot-room">{loading}</Panel></div>;
  return (
    <div class="result">
      <ResultHead
        kind="comparisons"
        job={comparison}
        title={title}
        about={`${plural(summary.query.records, "record")} against ${count(summary.subject.records)}`}
        form="/compare"
      >
        <Downloads comparison={comparison} />
      </ResultHead>
      <Certificate comparison={comparison} summary={summary} />
      <Figures summary={summary} />
      {summary.same && <p>{SAME}</p>}
      {(problem ?? missing) && <Trouble problem={(problem ?? missing)!} />}
      {gapped && (
        <div class="row no-print" role="group" aria-label="What is shown">
          <div class="tabs">
            <button type="button" aria-pressed={kind === "alignments"} disabled={!named} onClick={() => setWanted("alignments")}>Alignments with gaps</button>
            <button type="button" aria-pressed={kind === "hsps"} onClick={() => setWanted("hsps")}>HSPs</button>
          </div>
          {loaded && loaded.kind !== kind && !problem && loading}
          {!named && <span class="dim small">Some records share a name: their alignments are in the files.</span>}
          {kind === "alignments" && gapped.alignments > MOST_ALIGNMENTS && <span class="dim small">The first {count(MOST_ALIGNMENTS)} of {count(gapped.alignments)}; the files have all.</span>}
        </div>
      )}
      {!loaded && !problem && !missing && <Panel class="plot-room">{loading}<progress max={1} value={share} aria-label="Share of the list that is here" /></Panel>}
      {loaded && <Explorer comparison={comparison} summary={summary} sides={loaded.sides} hsps={loaded.hsps} />}
      <Methods comparison={comparison} summary={summary} />
    </div>
  );
}

/** A genome by its first record. */
const firstOf = ({ names }: Genome): string => (names.length > 1 ? `${names[0]} (${count(names.length)} records)` : (names[0] ?? ""));

const noneText = ({ parameters }: Comparison): string =>
  `The genomes share no stretch of ${count(parameters.min_length)} letters or more with ${parameters.min_identity} % identity: shorter words, a lower length or identity find more distant relatives.`;

interface ExplorerProps {
  comparison: Comparison;
  summary: Summary;
  sides: Sides;
  hsps: Hsps;
}

function Explorer({ comparison, summary, sides, hsps }: ExplorerProps) {
  const whole = useMemo(() => ({ width: sides.query.letters, height: sides.subject.letters }), [sides]);
  const [{ view, wanted }, setLook] = useLook(whole);
  const [order, setOrder] = useState<Order>(LONGEST_FIRST);
  const [marked, setMarked] = useRow(hsps);
  const [box, setBox] = useState<Area>();
  const [chosen, setChosen] = useState<Chosen>();
  const [boxing, setBoxing] = useState(false);
  /** How often a box was asked for that is to be typed. */
  const [typing, setTyping] = useState(0);
  const { aligning, path, align, found, close, sending, problem } = useAlignment(comparison.id, sides);
  const shown = useMemo(() => passing(hsps, wanted), [hsps, wanted.length, wanted.identity, wanted.strand]);
  const setView = (next: Area) => setLook({ view: next, wanted });
  const choose = (area: Area | undefined, done: boolean) => {
    setBox(area);
    if (!done) return;
    setBoxing(false);
    setChosen(area && chosenOf(sides, hsps, shown, area));
  };
  const middle = () => {
    choose(middleOf(view, BOX_LETTERS), true);
    setTyping(typing + 1);
  };
  const show = (row: number) => {
    setMarked(row);
    const area = { x: hsps.query[row]!, y: hsps.subject[row]!, width: hsps.across[row]!, height: hsps.up[row]! };
    setView(around(whole, area));
  };
  const records = useMemo(() => [recordsOf(sides.query), recordsOf(sides.subject)] as const, [sides]);
  const showing = (block: Block) => {
    const [one, other] = [records[0].get(block.query), records[1].get(block.subject)];
    if (one === undefined || other === undefined) return undefined;
    const query = { record: one, from: block.query_from, to: block.query_to };
    const area = areaOf(sides, { query, subject: { record: other, from: block.subject_from, to: block.subject_to } });
    return () => {
      if (area) setView(around(whole, area));
      document.querySelector<HTMLElement>(".dotplot")?.scrollIntoView({ block: "center" });
    };
  };
  const change = (next: Chosen) => {
    const area = areaOf(sides, next);
    setBox(area);
    setChosen(area && !next.byHand ? { ...next, strand: strandOf(hsps, shown, area) } : next);
  };
  const reverse = useMemo(() => hsps.reverse.reduce((sum, each) => sum + each, 0), [hsps]);
  return (
    <>
      <div class="compare-body">
        <Panel class="plot-panel">
          <div class="plot-tools no-print">
            <div class="row">
              <button type="button" class="square" aria-label="Zoom in" onClick={() => setView(zoomed(whole, view, 2))}>+</button>
              <button type="button" class="square" aria-label="Zoom out" onClick={() => setView(zoomed(whole, view, 0.5))}>−</button>
              <button type="button" disabled={isWhole(whole, view)} onClick={() => setView(wholeOf(whole))}>Show all</button>
              <button type="button" class="chip" aria-pressed={boxing} onClick={() => setBoxing(!boxing)}>Draw a box</button>
              <button type="button" class="chip" onClick={middle}>Box by numbers</button>
            </div>
            <CopyButton text={absolute(`/comparisons/${comparison.id}`) + hashOf({ view, wanted }, whole)} label="Copy link to this view" />
          </div>
          <Plot
            sides={sides}
            hsps={hsps}
            shown={shown}
            view={view}
            marked={marked}
            box={box}
            path={path}
            boxing={boxing}
            label={`Dot plot of ${plural(hsps.count, nounOf(hsps))}, query from left to right, subject upwards`}
            onView={setView}
            onMark={setMarked}
            onBox={choose}
            onMiddle={middle}
          >
            <p class="legend">
              <span><i class="swatch swatch-forward" />{count(hsps.count - reverse)} forward</span>
              <span><i class="swatch swatch-reverse" />{count(reverse)} reverse</span>
              {hsps.count === MOST_ROWS && <span>the first {count(MOST_ROWS)} are drawn</span>}
            </p>
          </Plot>
          {chosen && <BoxForm id={comparison.id} sides={sides} chosen={chosen} typing={typing} sending={sending} onChange={change} onAlign={(next) => void align(next)} onDrop={() => choose(undefined, true)} />}
          {problem && <Trouble problem={problem} />}
        </Panel>
        <List hsps={hsps} sides={sides} none={summary.same ? SAME : noneText(comparison)} shown={shown} view={view} wanted={wanted} order={order} marked={marked} onWanted={(next) => setLook({ view, wanted: next })} onOrder={setOrder} onShow={show} />
      </div>
      {aligning && <Aligned key={aligning.job.id} {...aligning} sides={sides} onPair={found} onClose={close} />}
      <Blocks synteny={summary.synteny} showing={showing} />
    </>
  );
}
