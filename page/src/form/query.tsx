// The query: pasted, dropped or read from a file, and checked as it is typed.
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { boot, type QueryWarning } from "../api";
import { faultText, OF_DNA, offsetOf, type Check } from "../fasta";
import { count, plural } from "../numbers";
import { capital, Icon, Panel, Warnings } from "../parts";
import { EmptyFile, nameOf, textOf } from "./files";
import { mendOf } from "./mend";

/** Beyond this a text field stalls; the text is kept beside it instead. */
const MOST_EDITABLE = 300_000;
const EXAMPLE = `>sp|Q4UKM7|EFP_RICFE Elongation factor P OS=Rickettsia felis
MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERFSSSD
YLEKAELEQKDYQFLYFEGDDLVLMDTKHFEQINVPKEILEEKLPFLTENMIVKVEFYNE
KPLNIELPPTVILEINETDPVIKGATATASYKPAILENGIKVKVPQYLEVGEKIVVKTDD
MTYVERAK
`;

export interface Query {
  text: string;
  /** The name of a file, or of another text, too large to show. */
  file?: string;
  /** What such a one was called that was here before. */
  lost?: string | undefined;
  /** What has come of a file that changed nothing. */
  note?: string;
  /** Why there is none, and the query that was there before. */
  refused?: { reason: string; before: Query };
}

/** A text as a query, shown if it is short enough. */
export const asQuery = (text: string, name = "Long query"): Query => (text.length > MOST_EDITABLE ? { text, file: name } : { text });

/** What files make of a query. */
export async function queryOf(files: File[], query: Query): Promise<Query> {
  try {
    return asQuery(await textOf(files), nameOf(files));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof EmptyFile) return { ...query, note: `${reason}: the query stays as it was.` };
    return { text: "", refused: { reason, before: query.refused?.before ?? query } };
  }
}

interface Props {
  query: Query;
  check: Check;
  /** Whether the check is of the query as it stands: a long one is checked after a pause. */
  settled: boolean;
  warnings: QueryWarning[];
  /** What the server says against it. */
  refused: string | undefined;
  database: string;
  onChange(query: Query): void;
  /** What is offered for short queries. */
  short?: ComponentChildren;
}

interface EditorProps extends Props {
  /** Whether profiles are taken, too. */
  profiles?: boolean;
  onFiles(files: File[]): void;
}

export function QueryEditor({ profiles, onFiles, ...props }: EditorProps) {
  const { query, check, onChange } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const goToFault = () => {
    if (!check.fault || !area.current) return;
    const at = offsetOf(area.current.value, check.fault);
    area.current.focus();
    area.current.setSelectionRange(at, at + 1);
  };
  const pick = () => picker.current?.click();
  const aside = (
    <div class="row">
      <button type="button" class="quiet" onClick={() => onChange({ text: EXAMPLE })}>Example</button>
      <button type="button" class="quiet" onClick={pick}><Icon name="file" />Choose a file</button>
      <button type="button" class="quiet" disabled={!query.text && !query.refused} onClick={() => onChange({ text: "" })}>Clear</button>
    </div>
  );
  return (
    <Panel title="Query" aside={aside} class="query">
      <div class="drop">
        {query.file ? (
          <div class="file-card">
            <Icon name="file" />
            <div><strong>{query.file}</strong><p class="dim">{count(query.text.length)} characters, too many to edit here</p></div>
          </div>
        ) : (
          <textarea
            ref={area}
            aria-label="Protein sequences in FASTA"
            aria-describedby="query-status"
            aria-invalid={Boolean(query.text && check.fault)}
            placeholder={`Paste protein sequences in FASTA, or one bare sequence${profiles ? ", or a profile (PSSM)" : ""}.\nOr drop a file here.`}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            value={query.text}
            onInput={(event) => onChange(asQuery(event.currentTarget.value, "Pasted text"))}
          />
        )}
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="FASTA file"
          onChange={(event) => {
            onFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </div>
      <div id="query-status" class="query-status" aria-live="polite">
        {query.note && <Bad text={query.note} />}
        {query.refused ? (
          <>
            <Bad text={query.refused.reason} />
            {query.refused.before.text && <button type="button" class="link" onClick={() => onChange(query.refused!.before)}>Back to the query before</button>}
          </>
        ) : (
          <Status {...props} goToFault={goToFault} />
        )}
      </div>
    </Panel>
  );
}

interface StatusProps extends Props {
  goToFault(): void;
}

function Status({ query, check, settled, warnings, refused, database, goToFault, onChange, short }: StatusProps) {
  if (!query.text && query.lost) return <Bad text={`“${query.lost}” is too long to be kept in this browser: choose or paste it again.`} />;
  if (!query.text) return <span class="dim">Letters A–Z in either case and *; blanks and line ends are skipped.</span>;
  const { fault } = check;
  const mending = settled && !check.isProfile && <Mending query={query} database={database} faulty={fault !== null} onChange={onChange} />;
  if (fault) {
    return (
      <span class="bad">
        <Icon name="warning" />
        <span id="query-fault">{capital(faultText(fault))}</span>
        {fault.line !== null && !query.file && <button type="button" class="link" onClick={goToFault}>Show</button>}
        {mending}
      </span>
    );
  }
  const tooMuch = limitText(check);
  if (tooMuch || refused) return <Bad text={tooMuch ?? refused ?? ""} />;
  const replaced = Object.entries(check.replaced);
  return (
    <>
      <span class="good"><Icon name="check" />{check.isProfile ? `A profile of ${plural(check.residues, "position")}` : `${plural(check.records.length, "sequence")}, ${plural(check.residues, "residue")}`}</span>
      {check.records.length > 1 && <span class="dim">longest {count(check.longest)}</span>}
      {replaced.length > 0 && (
        <span class="dim">{replaced.map(([letter, times]) => `${count(times)} × ${letter}`).join(", ")} will score as X</span>
      )}
      {mending}
      <Warnings warnings={warnings} many={check.records.length > 1} />
      {warnings.some(({ code }) => code === "short-query") && short}
    </>
  );
}

interface MendingProps extends Pick<Props, "query" | "database" | "onChange"> {
  faulty: boolean;
}

/** What can be done about a query in one click. */
function Mending({ query, database, faulty, onChange }: MendingProps) {
  const mend = useMemo(() => mendOf(query.text, database, faulty), [query.text, database, faulty]);
  const [failure, setFailure] = useState<{ text: string; reason: string }>();
  if (!mend) return null;
  const apply = () => mend.apply().then(
    (text) => onChange(asQuery(text, query.file)),
    (error: unknown) => setFailure({ text: query.text, reason: error instanceof Error ? error.message : String(error) }),
  );
  return (
    <>
      {mend.why && <span> {mend.why}</span>}
      <button type="button" class="mend" onClick={() => void apply()}>{mend.label}</button>
      {failure?.text === query.text && <span>{failure.reason}</span>}
    </>
  );
}

function Bad({ text }: { text: string }) {
  return <span class="bad"><Icon name="warning" /><span>{text}</span></span>;
}

/** What a form is still to be given; what: of sequences. */
export const missingOf = ({ text }: Query, database: string, what: string): string | false =>
  text.trim() ? !database && "Choose a database." : `Add ${what}.`;

/** The limit that a query exceeds, if any, with advice for DNA. */
export function limitText(check: Check): string | undefined {
  const passed = passedLimit(check);
  const isDna = check.warnings.some(({ code }) => code === "looks-like-dna");
  return passed && isDna ? `${passed}. This looks like DNA. This search needs proteins. ${OF_DNA}.` : passed;
}

function passedLimit(check: Check): string | undefined {
  const { max_queries, max_query_length, max_query_residues } = boot.info.limits;
  if (check.records.length > max_queries) return `${count(check.records.length)} sequences; at most ${count(max_queries)} are accepted`;
  if (check.longest > max_query_length) return `A sequence of ${count(check.longest)} residues; at most ${count(max_query_length)} are accepted`;
  if (check.residues > max_query_residues) return `${count(check.residues)} residues; at most ${count(max_query_residues)} are accepted in all`;
  return undefined;
}
