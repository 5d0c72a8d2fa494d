// Where the hits lie along the query, coloured by bit score where there is one.
import type { Hit } from "../api";
import { bitsText, evalueText } from "../numbers";

const BAR = 6;
/** A row has room for the hit's name beside it. */
export const STEP = 14;
export const TOP = 26;
const SIDE = 10;

/** Lower bounds of the classes in bits, as BLAST draws them; colours run one way in lightness, for every eye. */
export const CLASSES = [
  { from: 0, label: "under 40", light: "#a9b4c0", dark: "#5f6c7a" },
  { from: 40, label: "40–50", light: "#62b7a5", dark: "#3f8f86" },
  { from: 50, label: "50–80", light: "#2593a8", dark: "#41b0c4" },
  { from: 80, label: "80–200", light: "#2a5fa3", dark: "#84b4f5" },
  { from: 200, label: "200 or more", light: "#4c2283", dark: "#d2b8ff" },
];

/** Of hits without a bit score, all of them in one colour. */
const UNRATED = CLASSES[2]!;

const INK = { light: { line: "#8a96a3", text: "#55616e", query: "#27323d" }, dark: { line: "#6d7985", text: "#a3afbb", query: "#dfe6ec" } };

function colourOf(bits: number | null, dark: boolean): string {
  const found = bits === null ? UNRATED : (CLASSES.findLast((each) => bits >= each.from) ?? CLASSES[0]!);
  return dark ? found.dark : found.light;
}

interface Props {
  length: number;
  hits: Hit[];
  width: number;
  dark: boolean;
  label: string;
  onPick?: (hit: Hit) => void;
}

export const heightOf = (hits: number): number => TOP + 4 + hits * STEP;

export function Drawing({ length, hits, width, dark, label, onPick }: Props) {
  const ink = dark ? INK.dark : INK.light;
  const height = heightOf(hits.length);
  const x = (residue: number) => SIDE + ((residue - 1) / Math.max(1, length)) * (width - 2 * SIDE);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} class="drawing">
      <rect x={SIDE} y={TOP - 7} width={Math.max(0, width - 2 * SIDE)} height={5} rx={2} fill={ink.query} />
      {ticksOf(length, width).map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={TOP - 11} y2={height} stroke={ink.line} stroke-opacity={0.25} />
          <text x={x(tick)} y={12} fill={ink.text} font-size={11} font-family="system-ui, sans-serif" text-anchor={anchorOf(x(tick), width)}>{tick}</text>
        </g>
      ))}
      {hits.map((hit, row) => {
        const hsp = hit.hsps[0];
        if (!hsp) return null;
        const y = TOP + (STEP - BAR) / 2 + row * STEP;
        return (
          <g key={hit.rank} class={onPick ? "bar" : undefined} onClick={onPick && (() => onPick(hit))}>
            <title>{`${hit.rank}. ${hit.accession} ${hit.title}\n${ratingOf(hit)}, ${hsp.query_from}–${hsp.query_to}`}</title>
            <rect x={0} y={y - (STEP - BAR) / 2} width={width} height={STEP} fill="transparent" />
            {hit.hsps.map((each) => (
              <rect x={x(each.query_from)} y={y} width={Math.max(2, x(each.query_to + 1) - x(each.query_from))} height={BAR} rx={1.5} fill={colourOf(each.bits ?? hit.bits, dark)} />
            ))}
          </g>
        );
      })}
    </svg>
  );
}

/** Its bits and E-value, or what there is instead. */
function ratingOf({ score, bits, evalue }: Hit): string {
  const rating = bits === null ? `score ${score}` : `${bitsText(bits)} bits`;
  return evalue === null ? rating : `${rating}, E ${evalueText(evalue)}`;
}

const anchorOf = (x: number, width: number) => (x < 20 ? "start" : x > width - 20 ? "end" : "middle");

/** The query's ends and round numbers between, as many as there is room for. */
export function ticksOf(length: number, width: number): number[] {
  const least = (length * 60) / Math.max(120, width);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((size) => size >= least) ?? length);
  const ticks = [1];
  for (let at = step; at < length - step / 2; at += step) if (at > step / 2 && at > 1) ticks.push(at);
  return length > 1 ? [...ticks, length] : ticks;
}
