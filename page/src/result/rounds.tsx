// Rounds of a query that was searched with profiles of what the round before had found, and the profile of the last one.
import { at, type MsaRound, type RoundReport, type Search } from "../api";
import { count, plural } from "../numbers";
import { Panel } from "../parts";
import type { Part } from "./load";

const FORMATS = [
  { format: "asn1", label: "PSI-BLAST's -in_pssm" },
  { format: "ascii", label: "table" },
  { format: "json", label: "JSON" },
];

export function Rounds({ search, part }: { search: Search; part: Part }) {
  const { query, rounds = [] } = part.one;
  if (!rounds.length && !query.profile) return null;
  return (
    <Panel title={rounds.length ? "Rounds" : "Profile"} class="rounds">
      {rounds.length > 0 && <RoundsTable rounds={rounds} />}
      {rounds.length > 0 && <p class="dim">{endText(part)}</p>}
      {query.profile && (
        <p class="no-print">
          Download the profile that these hits were found with:{" "}
          {FORMATS.map(({ format, label }, place) => (
            <span key={format}>{place > 0 && ", "}<a href={at(`/v1/searches/${search.id}/pssm?query=${part.number}&format=${format}`)} download="">{label}</a></span>
          ))}
        </p>
      )}
    </Panel>
  );
}

/** Each round with what it has found. profiled: the first one, too, searched with a profile. */
export function RoundsTable({ rounds, profiled = false }: { rounds: (MsaRound | RoundReport)[]; profiled?: boolean }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Rounds">
      <table class="plain">
        <thead><tr><th>Round</th><th>Searched with</th><th class="num">Close enough for a profile</th><th class="num">New</th><th class="num">Lost</th></tr></thead>
        <tbody>
          {rounds.map((round) => (
            <tr key={round.number}>
              <td>{round.number}</td>
              <td>{round.number === 1 && !profiled ? "the query" : "a profile"}</td>
              <td class="num">{count(round.included)}</td>
              <td class="num" title={named(round.new)}>{count(many(round.new))}</td>
              <td class="num" title={named(round.lost)}>{count(many(round.lost))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MOST_NAMED = 10;

/** How many there are; of an MSA's rounds nothing else is told. */
function many(accessions: string[] | number): number {
  return typeof accessions === "number" ? accessions : accessions.length;
}

/** The first of these accessions. */
function named(accessions: string[] | number): string | undefined {
  if (typeof accessions === "number" || !accessions.length) return undefined;
  const others = accessions.length - MOST_NAMED;
  return accessions.slice(0, MOST_NAMED).join(", ") + (others > 0 ? ` and ${plural(others, "other")}` : "");
}

function endText({ one, whole }: Part): string {
  const { inclusion_evalue: most, iterations } = whole.parameters;
  const last = one.rounds?.at(-1);
  const why = last?.new.length ? `All ${plural(iterations ?? 1, "round")} that were asked for were made.` : "The last round found nothing new.";
  return `A hit enters the next profile with an E-value of at most ${most}. ${why}`;
}
