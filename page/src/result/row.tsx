// One hit: its line in the table, and below it, once opened, its alignment and where to go from there.
import { at, type Hit, type QueryResult, type Search } from "../api";
import { linksOf } from "../links";
import { bitsText, count, evalueText, percentText } from "../numbers";
import { Icon } from "../parts";
import { AlignmentText } from "./alignment";

interface Props {
  hit: Hit;
  place: number;
  query: QueryResult["query"];
  search: Search;
  open: boolean;
  selected: boolean;
  onOpen(): void;
  onSelect(): void;
}

export function HitRow({ hit, place, query, search, open, selected, onOpen, onSelect }: Props) {
  const hsp = hit.hsps[0];
  const from = hsp ? ((hsp.query_from - 1) / query.length) * 100 : 0;
  const span = hsp ? ((hsp.query_to - hsp.query_from + 1) / query.length) * 100 : 0;
  const detail = `hit-${hit.rank}`;
  return (
    <>
      <div role="row" class={selected ? "hit-row selected" : "hit-row"} aria-rowindex={place}>
        <span role="cell"><input type="checkbox" aria-label={`Select ${hit.accession}`} checked={selected} onChange={onSelect} /></span>
        <span role="cell" class="num dim hit-rank">{hit.rank}</span>
        <span role="cell" class="hit-name">
          <button type="button" class="hit-open" aria-expanded={open} aria-controls={detail} onClick={onOpen}>
            <Icon name="chevron" />
            <span class="mono accession">{hit.accession}</span>
            <span class="hit-title" title={hit.title}>{hit.title}</span>
          </button>
        </span>
        <span role="cell" class="num hide-narrow">{count(hit.score)}</span>
        <span role="cell" class="num hit-bits">{bitsText(hit.bits)}</span>
        <span role="cell" class="num hit-evalue">
          {differ(hit) && <span class="differ" role="img" aria-label="E-values differ" title={DIFFER}>≠</span>}
          {evalueText(hit.evalue)}
        </span>
        <span role="cell" class="num hit-identity">{percentText(hit.identity)}</span>
        <span role="cell" class="num hit-coverage">
          <span class="span-track" aria-hidden="true"><i style={{ left: `${from}%`, width: `${span}%` }} /></span>
          <span class="coverage-number">{percentText(hit.query_coverage)}</span>
        </span>
        <span role="cell" class="num hide-narrow">{count(hit.length)}</span>
      </div>
      {open && <div id={detail} class="detail" role="row"><div role="cell" aria-colspan={9}><Detail hit={hit} query={query} search={search} /></div></div>}
    </>
  );
}

/** Far below this no doubt is left, whatever the factor between two E-values. */
const TELLING = 1e-6;

const differ = ({ evalues }: Hit): boolean =>
  Boolean(evalues?.differ) && Math.max(evalues?.fitted ?? 0, evalues?.table ?? 0) >= TELLING;

const DIFFER = "The E-values by table and by fit differ more than tenfold: look for biased composition.";

function Detail({ hit, query, search }: { hit: Hit; query: QueryResult["query"]; search: Search }) {
  const hsp = hit.hsps[0];
  const place = `${encodeURIComponent(search.database.name)}/sequences/${encodeURIComponent(hit.accession)}`;
  const again = `/?database=${encodeURIComponent(search.database.name)}&accession=${encodeURIComponent(hit.accession)}`;
  const { evalues } = hit;
  const percent = (part: number) => (hsp ? `${part}/${hsp.align_len} (${Math.round((100 * part) / hsp.align_len)} %)` : "");
  return (
    <>
      <p class="detail-title">{hit.accession} {hit.title} <span class="dim">{count(hit.length)} residues</span></p>
      {hsp ? (
        <>
          <p class="detail-facts">
            <span>Score <b>{count(hit.score)}</b></span>
            {hit.bits !== null && <span>Bits <b>{bitsText(hit.bits)}</b></span>}
            {hit.evalue !== null && <span>E-value <b>{evalueText(hit.evalue)}</b></span>}
            <span>Identities <b>{percent(hsp.identity)}</b></span>
            <span>Positives <b>{percent(hsp.positive)}</b></span>
            <span>Gaps <b>{percent(hsp.gaps)}</b></span>
            <span>Query <b>{hsp.query_from}–{hsp.query_to}</b></span>
            <span>Subject <b>{hsp.hit_from}–{hsp.hit_to}</b></span>
            {evalues && <span>E by fit <b>{evalueText(evalues.fitted)}</b>, z-score <b>{evalues.zscore.toFixed(1)}</b></span>}
          </p>
          {differ(hit) && <p class="differ-text"><Icon name="warning" />{DIFFER}</p>}
          <AlignmentText hsp={hsp} label={`Alignment of ${query.id} with ${hit.accession}`} />
        </>
      ) : (
        <p class="dim">
          No alignment was asked for so far down the list. <a href={at(`/?edit=${search.id}`)}>Edit the search</a> and raise “Alignments for the best”.
        </p>
      )}
      <div class="row detail-links">
        <a class="button" href={at(again)}>Search with this hit</a>
        <a class="button" href={at(`/v1/databases/${place}?format=fasta`)} download={`${hit.accession.replace(/[^\w.-]+/g, "_")}.fasta`}>Sequence, FASTA</a>
        {linksOf(hit).map((link) => (
          <a key={link.label} class="button quiet" href={link.url} target="_blank" rel="noopener noreferrer">{link.label}<Icon name="external" /></a>
        ))}
      </div>
    </>
  );
}
