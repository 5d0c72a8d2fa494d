// The query: pasted, dropped or read from a file, and checked as it is typed.
import { useMemo, useRef, useState } from "preact/hooks";
import { boot, type QueryWarning } from "../api";
import { faultText, offsetOf, type Check } from "../fasta";
import { count, plural } from "../numbers";
import { Icon, Panel, Warnings } from "../parts";
import { nameOf, textOf } from "./files";
import { mendOf } from "./mend";

/** Beyond this a text field stalls; the file is kept beside it instead. */
const MOST_EDITABLE = 300_000;
const EXAMPLE = `>sp|Q4UKM7|EFP_RICFE Elongation factor P OS=Rickettsia felis
MKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERFSSSD
YLEKAELEQKDYQFLYFEGDDLVLMDTKHFEQINVPKEILEEKLPFLTENMIVKVEFYNE
KPLNIELPPTVILEINETDPVIKGATATASYKPAILENGIKVKVPQYLEVGEKIVVKTDD
MTYVERAK
`;

export interface Query {
  text: string;
  /** The name of a file too large to show. */
  file?: string;
  /** Why there is none, and the query that was there before. */
  refused?: { reason: string; before: Query };
}

interface Props {
  query: Query;
  check: Check;
  warnings: QueryWarning[];
  /** What the server says against it. */
  refused: string | undefined;
  database: string;
  onChange(query: Query): void;
}

export function QueryEditor({ query, check, warnings, refused, database, onChange }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const readFiles = async (files: File[]) => {
    if (files.length === 0) return;
    const before = query.refused?.before ?? query;
    try {
      const text = await textOf(files);
      onChange(text.length > MOST_EDITABLE ? { text, file: nameOf(files) } : { text });
    } catch (error) {
      onChange({ text: "", refused: { reason: error instanceof Error ? error.message : String(error), before } });
    }
  };
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
      <div
        class={over ? "drop over" : "drop"}
        onDragOver={(event) => { event.preventDefault(); setOver(true); }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          if (!event.dataTransfer?.files.length) return;
          event.preventDefault();
          void readFiles([...event.dataTransfer.files]);
        }}
      >
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
            placeholder={"Paste protein sequences in FASTA, or one bare sequence.\nOr drop a file here."}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            value={query.text}
            onInput={(event) => onChange({ text: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="FASTA file"
          onChange={(event) => {
            void readFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </div>
      <div id="query-status" class="query-status" aria-live="polite">
        {query.refused ? (
          <>
            <Bad text={query.refused.reason} />
            {query.refused.before.text && <button type="button" class="link" onClick={() => onChange(query.refused!.before)}>Back to the query before</button>}
          </>
        ) : (
          <Status query={query} check={check} warnings={warnings} refused={refused} database={database} goToFault={goToFault} onChange={onChange} />
        )}
      </div>
    </Panel>
  );
}

interface StatusProps extends Props {
  goToFault(): void;
}

function Status({ query, check, warnings, refused, database, goToFault, onChange }: StatusProps) {
  if (!query.text) return <span class="dim">Letters A–Z in either case and *; blanks and line ends are skipped.</span>;
  const { fault } = check;
  if (fault) {
    return (
      <span class="bad">
        <Icon name="warning" />
        <span id="query-fault">{capital(faultText(fault))}</span>
        {fault.line !== null && !query.file && <button type="button" class="link" onClick={goToFault}>Show</button>}
        <Mending query={query} database={database} onChange={onChange} />
      </span>
    );
  }
  const tooMuch = limitText(check);
  if (tooMuch || refused) return <Bad text={tooMuch ?? refused ?? ""} />;
  const replaced = Object.entries(check.replaced);
  return (
    <>
      <span class="good"><Icon name="check" />{plural(check.records.length, "sequence")}, {plural(check.residues, "residue")}</span>
      {check.records.length > 1 && <span class="dim">longest {count(check.longest)}</span>}
      {replaced.length > 0 && (
        <span class="dim">{replaced.map(([letter, times]) => `${count(times)} × ${letter}`).join(", ")} will score as X</span>
      )}
      <Warnings warnings={warnings} many={check.records.length > 1} />
    </>
  );
}

/** What can be done about a fault in one click. */
function Mending({ query, database, onChange }: Pick<Props, "query" | "database" | "onChange">) {
  const mend = useMemo(() => mendOf(query.text, database), [query.text, database]);
  const [failure, setFailure] = useState<{ text: string; reason: string }>();
  if (!mend) return null;
  const apply = () => mend.apply().then(
    (text) => onChange(text.length > MOST_EDITABLE ? { ...query, text } : { text }),
    (error: unknown) => setFailure({ text: query.text, reason: error instanceof Error ? error.message : String(error) }),
  );
  return (
    <>
      <button type="button" class="mend" onClick={() => void apply()}>{mend.label}</button>
      {failure?.text === query.text && <span>{failure.reason}</span>}
    </>
  );
}

function Bad({ text }: { text: string }) {
  return <span class="bad"><Icon name="warning" /><span>{text}</span></span>;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The published limit that a query passes, if any. */
export function limitText(check: Check): string | undefined {
  const { max_queries, max_query_length, max_query_residues } = boot.info.limits;
  if (check.records.length > max_queries) return `${count(check.records.length)} sequences; at most ${count(max_queries)} are accepted`;
  if (check.longest > max_query_length) return `A sequence of ${count(check.longest)} residues; at most ${count(max_query_length)} are accepted`;
  if (check.residues > max_query_residues) return `${count(check.residues)} residues; at most ${count(max_query_residues)} are accepted in all`;
  return undefined;
}
