// One hit: its line in the table, and below it, once opened, its alignment and where to go from there.
import type { ComponentChildren } from "preact";
import { addressOf } from "../address";
import { at, type Hsp, type Search } from "../api";
import { FigureLinks } from "../figure";
import { settingsOf } from "../form/values";
import { bitsText, count, evalueText, percentText } from "../numbers";
import { CopyButton, Icon, Id } from "../parts";
import { AlignmentText } from "./alignment";
import type { Shown } from "./columns";
import { figureAt } from "./downloads";
import { Links, SequenceLink } from "./links";
import type { AlignedHit } from "./align-hits";
import { DifferMark, DifferNote, ScaleNote } from "./differ";
import type { Column } from "./filter";
import type { Part } from "./load";
import { namedOf } from "./named";

interface Props {
  hit: AlignedHit;
  columns: Shown[];
  /** Whether it is the first one that chance might give. */
  isEdge: boolean;
  place: number;
  part: Part;
  search: Search;
  open: boolean;
  selected: boolean;
  /** Aligns the hit and others on the screen; nothing where only another search can. */
  onAlign: (() => void) | undefined;
  /** Whether the hit is being aligned. */
  pending: boolean;
  /** Whether any hit is. */
  busy: boolean;
  onOpen(): void;
  onSelect(): void;
}

export function HitRow({ hit, columns, isEdge, place, part, search, open, selected, onAlign, pending, busy, onOpen, onSelect }: Props) {
  const { query } = part.one;
  const percent = (residues: number) => `${(residues / query.length) * 100}%`;
  const detail = `hit-${hit.rank}`;
  const { title, organism } = namedOf(hit);
  const cells: { [column in Column]: () => ComponentChildren } = {
    rank: () => hit.rank,
    accession: () => (
      <button type="button" class="hit-open" aria-expanded={open} aria-controls={detail} onClick={onOpen}>
        <Icon name="chevron" />
        <span class="mono accession" title={hit.accession}><Id text={hit.accession} /></span>
        <span class="hit-title" title={hit.title}>{title}</span>
      </button>
    ),
    organism: () => organism && <span title={hit.taxid ? `${organism}, taxid ${hit.taxid}` : organism}>{organism}</span>,
    database: () => hit.database && <span title={`Of the database ${hit.database}`}>{hit.database}</span>,
    score: () => count(hit.score),
    bits: () => bitsText(hit.bits),
    evalue: () => <><DifferMark hit={hit} />{evalueText(hit.evalue)}</>,
    identity: () => percentText(hit.identity),
    query_coverage: () => hit.hsps.length === 0 ? <NotAligned hit={hit} onAlign={onAlign} pending={pending} busy={busy} /> : (
      <>
        <span class="span-track" aria-hidden="true">{hit.hsps.map((hsp) => <i style={{ left: percent(hsp.query_from - 1), width: percent(hsp.query_to - hsp.query_from + 1) }} />)}</span>
        <span class="coverage-number">{percentText(hit.query_coverage)}</span>
      </>
    ),
    length: () => count(hit.length),
  };
  return (
    <>
      <div role="row" class={`hit-row${selected ? " selected" : ""}${isEdge ? " edge" : ""}`} aria-rowindex={place} aria-description={isEdge ? "E-values above 0.001 from here on" : undefined}>
        <span role="cell"><input type="checkbox" aria-label={`Select ${hit.accession}`} checked={selected} onChange={onSelect} /></span>
        {columns.map(({ column, class: kind, cell }) => <span key={column} role="cell" class={`${kind} ${cell}`}>{cells[column]()}</span>)}
      </div>
      {open && <div id={detail} class="detail" role="row"><div role="cell" aria-colspan={1 + columns.length}><Detail hit={hit} part={part} search={search} onAlign={onAlign} pending={pending} busy={busy} /></div></div>}
    </>
  );
}

type Aligning = Pick<Props, "hit" | "onAlign" | "pending" | "busy">;

/** In place of a coverage. */
function NotAligned({ hit, onAlign, pending, busy }: Aligning) {
  if (pending || !onAlign) return <span class="dim">{pending ? "aligning…" : "not aligned"}</span>;
  return <button type="button" class="link" disabled={busy} title="Align the hits on the screen" aria-label={`Align ${hit.accession} and the other hits on the screen`} onClick={onAlign}>Align</button>;
}

function Detail({ hit, part, search, onAlign, pending, busy }: Aligning & Pick<Props, "part" | "search">) {
  const { query } = part.one;
  const [hsp, ...further] = hit.hsps;
  const again = new URLSearchParams({ database: search.database.name, accession: hit.accession, ...settingsOf(part.whole.parameters) });
  const { evalues, shuffled } = hit;
  const drawing = (alignment: number) => hit.figure ?? figureAt(search.id, part.number, "alignment", `&hit=${hit.rank}&alignment=${alignment}`);
  const several = part.whole.databases && part.whole.databases.length > 1;
  const origin = hit.taxid ? `, taxid ${hit.taxid}` : "";
  return (
    <>
      <p class="detail-title"><bdi>{hit.accession} {hit.title}</bdi> <span class="dim">{count(hit.length)} residues{several && `, of ${hit.database}`}{hit.taxid && hit.organism ? <>, <bdi>{hit.organism}</bdi></> : null}{origin}</span></p>
      {hsp ? (
        <>
          <p class="detail-facts">
            <Facts of={hit} hsp={hsp} />
            {evalues && <span>E by fit <b>{evalueText(evalues.fitted)}</b>, by table <b>{evalueText(evalues.table)}</b>, z-score <b>{evalues.zscore.toFixed(1)}</b></span>}
            {shuffled && shuffled.z !== null && <span>Z by shuffles <b>{shuffled.z.toFixed(2)}</b>, P <b>{evalueText(shuffled.pvalue)}</b></span>}
          </p>
          <ScaleNote hit={hit} />
          <DifferNote hit={hit} />
          <AlignmentText hsp={hsp} label={`Alignment of ${query.id} with ${hit.accession}`} />
          {further.map((each, number) => (
            <section key={number} aria-label={`Alignment ${number + 2} of ${hit.hsps.length}`}>
              <p class="detail-facts further">
                <span>Alignment {number + 2} of {hit.hsps.length}</span>
                <Facts of={each} hsp={each} />
              </p>
              <AlignmentText hsp={each} label={`Alignment ${number + 2} of ${query.id} with ${hit.accession}`} />
              <div class="row detail-links"><FigureLinks label={`Alignment ${number + 2}`} path={drawing(number + 2)} /></div>
            </section>
          ))}
        </>
      ) : (
        <div class="row">
          <p class="dim">This hit is not aligned yet: the search aligned only the first {count(part.whole.parameters.alignments ?? 0)}.</p>
          {onAlign ? (
            <button type="button" disabled={busy} onClick={onAlign}>{pending ? "Aligning…" : "Align this hit and the others on the screen"}</button>
          ) : (
            <p class="dim"><a href={at(`/?edit=${search.id}`)}>Edit the search</a> and raise “Alignments for the best”.</p>
          )}
        </div>
      )}
      <div class="row detail-links">
        <a class="button" href={at(`/?${again}`)}>Search with this hit</a>
        <SequenceLink database={hit.database ?? search.database.name} accession={hit.accession} />
        {hsp && <FigureLinks label="Alignment" path={drawing(1)} />}
        <CopyButton text={addressOf(search.id, { query: part.number, hit: hit.rank })} label="Copy link to this hit" />
        <Links of={hit} />
      </div>
    </>
  );
}

/** What an alignment is worth, by the hit or by itself, and its columns and places. */
function Facts({ of: { score, bits, evalue }, hsp }: { of: Pick<Hsp, "score" | "bits" | "evalue">; hsp: Hsp }) {
  const percent = (part: number) => `${part}/${hsp.align_len} (${percentText((100 * part) / hsp.align_len, 0)} %)`;
  return (
    <>
      <span>Score <b>{count(score ?? 0)}</b></span>
      {typeof bits === "number" && <span>Bits <b>{bitsText(bits)}</b></span>}
      {typeof evalue === "number" && <span>E-value <b>{evalueText(evalue)}</b></span>}
      <span>Identities <b>{percent(hsp.identity)}</b></span>
      <span>Positives <b>{percent(hsp.positive)}</b></span>
      <span>Gaps <b>{percent(hsp.gaps)}</b></span>
      <span>Query <b>{hsp.query_from}–{hsp.query_to}</b></span>
      <span>Subject <b>{hsp.hit_from}–{hsp.hit_to}</b></span>
    </>
  );
}
