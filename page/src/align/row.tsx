// One alignment of a pair: its line in the table, and below it, once opened, its letters and its files.
import { useEffect, useState } from "preact/hooks";
import { absolute, at, problemOf, type Problem } from "../api";
import { FigureLinks } from "../figure";
import { count, percentText } from "../numbers";
import { CopyButton, Icon, Id } from "../parts";
import { AlignmentText, type Shown } from "../result/alignment";
import { Trouble } from "../trouble";
import { formatsOf } from "./downloads";
import { isAligned, isShown, lettersOf, MOST_COLUMNS, type Row } from "./load";
import { identityOf } from "./order";
import type { Alignment } from "./types";

interface Props {
  job: Alignment;
  row: Row;
  index: number;
  open: boolean;
  onOpen(): void;
}

export function PairRow({ job, row, index, open, onOpen }: Props) {
  const { report, best } = job.parameters;
  const detail = `pair-${row.place}`;
  return (
    <>
      <div role="row" class="pair-row" aria-rowindex={index}>
        <span role="cell" class="num dim pair-number">{count(row.pair)}{best > 1 && <span class="rank" title={`alignment ${row.rank} of this pair`}>.{row.rank}</span>}</span>
        <span role="cell" class="pair-query">
          <button type="button" class="hit-open" aria-expanded={open} aria-controls={detail} onClick={onOpen}>
            <Icon name="chevron" />
            <span class="mono accession" title={row.query}><Id text={row.query} /></span>
          </button>
        </span>
        <span role="cell" class="mono ellipsis pair-subject" title={row.subject}><Id text={row.subject} /></span>
        <span role="cell" class="num pair-score">{scoreText(row.score)}</span>
        {report === "alignment" && (
          <>
            <span role="cell" class="num pair-identity">{percentText(identityOf(row))}</span>
            <span role="cell" class="num pair-gaps">{numberText(row.gaps)}</span>
            <span role="cell" class="num pair-length">{numberText(row.align_len)}</span>
          </>
        )}
        {report !== "score" && (
          <>
            <span role="cell" class="num pair-place">{placeText(row.query_from, row.query_to)}{row.strand === "-" && <> <abbr title="the reverse complement">−</abbr></>}</span>
            <span role="cell" class="num pair-place">{placeText(row.subject_from, row.subject_to)}</span>
          </>
        )}
      </div>
      {open && <div id={detail} class="detail" role="row"><div role="cell" aria-colspan={9}><Detail job={job} row={row} /></div></div>}
    </>
  );
}

function Detail({ job, row }: { job: Alignment; row: Row }) {
  const { report, alphabet } = job.parameters;
  const [shown, setShown] = useState<Shown>();
  const [problem, setProblem] = useState<Problem>();
  const wanted = report === "alignment" && isShown(row);
  useEffect(() => {
    if (wanted) lettersOf(job, row).then(setShown, (error: unknown) => setProblem(problemOf(error)));
  }, [job.id, row.place]);
  const back = row.strand === "-";
  const percent = (columns: number) => `${count(columns)}/${count(row.align_len!)} (${percentText((100 * columns) / row.align_len!)} %)`;
  const files = `/v1/alignments/${job.id}/results?pairs=${row.pair}&format=`;
  return (
    <>
      <p class="detail-title"><bdi>{row.query}</bdi> <span class="dim">with</span> <bdi>{row.subject}</bdi></p>
      <p class="detail-facts">
        <span>Pair <b>{count(row.pair)}</b>{job.parameters.best > 1 && <>, alignment <b>{row.rank}</b></>}</span>
        <span>Score <b>{scoreText(row.score)}</b></span>
        {isAligned(row) && <span>Identities <b>{percent(row.identity!)}</b></span>}
        {isAligned(row) && alphabet === "protein" && <span>Positives <b>{percent(row.positive!)}</b></span>}
        {isAligned(row) && <span>Gaps <b>{percent(row.gaps!)}</b></span>}
        {row.query_from !== null && <span>Query <b>{placeText(row.query_from, row.query_to)}</b>{back && ", reverse complement"}</span>}
        {row.subject_from !== null && <span>Subject <b>{placeText(row.subject_from, row.subject_to)}</b></span>}
      </p>
      {problem && <Trouble problem={problem} />}
      {wanted && !shown && !problem && <p class="dim" role="status">Loading the alignment…</p>}
      {shown && <AlignmentText hsp={shown} backwards={back} label={`Alignment of ${row.query} with ${row.subject}`} />}
      {report === "alignment" ? <NoLetters row={row} /> : <p class="dim">Alignments were not asked for: <a href={at("/align")}>align again</a> and report them.</p>}
      <div class="row detail-links">
        {formatsOf(job).filter(({ format }) => format !== "json" && format !== "ndjson").map(({ format, short }) => (
          <a key={format} class="button quiet" href={at(files + format)} download=""><Icon name="download" />{short}</a>
        ))}
        {isAligned(row) && <FigureLinks label="Picture" path={`/v1/alignments/${job.id}/figures/alignment.svg?pair=${row.pair}&rank=${row.rank}`} />}
        <CopyButton text={`${absolute(`/alignments/${job.id}`)}#${row.pair}`} label="Copy link to this pair" />
      </div>
    </>
  );
}

/** Why an alignment is not here, or not all of it. */
function NoLetters({ row }: { row: Row }) {
  if (!isAligned(row)) return <p class="dim">{row.align_len === null ? "No letters are alike: there is no local alignment." : "The best alignment has no columns."}</p>;
  if (!isShown(row)) return <p class="dim">An alignment of {count(row.align_len!)} columns is too long to be shown: the files have it.</p>;
  return row.align_len! > MOST_COLUMNS ? <p class="dim small">The first {count(MOST_COLUMNS)} of {count(row.align_len!)} columns; the files have all.</p> : null;
}

const scoreText = (score: number): string => score.toLocaleString("en-US");
const numberText = (value: number | null): string => (value === null ? "–" : count(value));
const placeText = (from: number | null, to: number | null): string => (from === null || to === null ? "–" : `${count(from)}–${count(to)}`);
