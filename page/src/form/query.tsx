// The query: pasted, dropped or read from a file, and checked as it is typed.
import { useRef, useState } from "preact/hooks";
import { boot } from "../api";
import { faultText, offsetOf, type Check } from "../fasta";
import { count, plural } from "../numbers";
import { Icon, Panel } from "../parts";

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
}

interface Props {
  query: Query;
  check: Check;
  refused: string | undefined;
  onChange(query: Query): void;
}

export function QueryEditor({ query, check, refused, onChange }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [unread, setUnread] = useState("");
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    const most = boot.info.limits.max_body_bytes;
    if (file.size > most) return setUnread(`${file.name} has ${count(file.size)} bytes; at most ${count(most)} are accepted`);
    setUnread("");
    const text = await file.text();
    onChange(text.length > MOST_EDITABLE ? { text, file: file.name } : { text });
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
      <button type="button" class="quiet" disabled={!query.text} onClick={() => onChange({ text: "" })}>Clear</button>
    </div>
  );
  return (
    <Panel title="Query" aside={aside} class="query">
      <div
        class={over ? "drop over" : "drop"}
        onDragOver={(event) => { event.preventDefault(); setOver(true); }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          const file = event.dataTransfer?.files[0];
          setOver(false);
          if (!file) return;
          event.preventDefault();
          void readFile(file);
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
          />
        )}
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="FASTA file"
          onChange={(event) => {
            void readFile(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </div>
      <div id="query-status" class="query-status" aria-live="polite">
        {unread ? <Bad text={unread} /> : <Status query={query} check={check} refused={refused} goToFault={goToFault} />}
      </div>
    </Panel>
  );
}

interface StatusProps {
  query: Query;
  check: Check;
  refused: string | undefined;
  goToFault(): void;
}

function Status({ query, check, refused, goToFault }: StatusProps) {
  if (!query.text) return <span class="dim">Letters A–Z in either case and *; blanks and line ends are skipped.</span>;
  const { fault } = check;
  if (fault) {
    return (
      <span class="bad">
        <Icon name="warning" />
        <span id="query-fault">{capital(faultText(fault))}</span>
        {fault.line !== null && !query.file && <button type="button" class="link" onClick={goToFault}>Show</button>}
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
