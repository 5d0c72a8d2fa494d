// One genome of the form: pasted, a file, or records of a database, and what is known of it.
import { useRef, useState } from "preact/hooks";
import type { Database } from "../api";
import { faultText, offsetOf } from "../fasta";
import { removalOf } from "../form/removal";
import { count, plural } from "../numbers";
import { capital, Icon, Panel } from "../parts";
import { checkDna } from "./dna";
import { accessionsOf, asText, EMPTY, type Check, type Genome } from "./genome";

/** What the input says of itself. */
export interface Words {
  /** What is pasted. */
  label: string;
  placeholder: string;
  letters: string;
}

const OF_GENOMES: Words = {
  label: "DNA in FASTA",
  placeholder: "Paste DNA: FASTA, FASTQ or bare letters. Or drop a file here, plain or gzip, of any size that this server takes; two files fill both sides.",
  letters: "A, C, G, T and IUPAC's codes; what is not A, C, G or T matches nothing.",
};

interface Props {
  name: string;
  genome: Genome;
  words?: Words;
  check?: Check;
  /** Those that records may come from. */
  databases: Database[];
  /** What the server has against it. */
  refused: string | undefined;
  onChange(genome: Genome): void;
  onFiles(files: File[]): void;
  /** Fill both sides with an example; the first one alone offers it. */
  onExample?: () => void;
}

export function GenomeInput({ name, genome, words = OF_GENOMES, check = checkDna, databases, refused, onChange, onFiles, onExample }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { file, database } = genome;
  /** What was there before records of a database, or sequences, took its place. */
  const other = useRef(EMPTY);
  const swap = () => {
    const next = Boolean(other.current.database) === Boolean(database) ? undefined : other.current;
    // A file that is on its way gets no further.
    other.current = file && !file.upload && !file.problem ? EMPTY : genome;
    onChange(next ?? (database ? EMPTY : { text: "", database: { name: databases[0]!.name, accessions: "" } }));
  };
  const aside = (
    <div class="row">
      {onExample && <button type="button" class="quiet" onClick={onExample}>Example</button>}
      {databases.length > 0 && (
        <button type="button" class="chip" aria-pressed={Boolean(database)} onClick={swap}>From a database</button>
      )}
      <button type="button" class="quiet" onClick={() => picker.current?.click()}><Icon name="file" />Choose a file</button>
      <button type="button" class="quiet" disabled={!genome.text && !file && !database} onClick={() => onChange(EMPTY)}>Clear</button>
    </div>
  );
  /** The cursor goes to the first fault. */
  const show = () => {
    if (!genome.dna?.fault || !area.current) return;
    const at = offsetOf(area.current.value, genome.dna.fault);
    area.current.focus();
    area.current.setSelectionRange(at, at + 1);
  };
  const status = `${name.toLowerCase()}-status`;
  return (
    <Panel title={name} aside={aside} class="query genome">
      <div
        class={over ? "drop over" : "drop"}
        // What falls here is for this list, not for either.
        onDragOver={(event) => { event.preventDefault(); event.stopPropagation(); setOver(true); }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => { event.preventDefault(); event.stopPropagation(); setOver(false); onFiles([...(event.dataTransfer?.files ?? [])]); }}
      >
        {database ? (
          <Records name={name} databases={databases} database={database} describedBy={status} onChange={(next) => onChange({ text: "", database: next })} />
        ) : file ? (
          <div class="file-card">
            <Icon name="file" />
            <div class="file-text">
              <strong>{file.name}</strong>
              {!file.upload && !file.problem && <progress max={1} value={file.share} aria-label={`Share of ${file.name} that is sent`} />}
            </div>
          </div>
        ) : (
          <textarea
            ref={area}
            aria-label={`${name}: ${words.label}`}
            aria-describedby={status}
            aria-invalid={Boolean(genome.dna?.fault)}
            placeholder={words.placeholder}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            value={genome.text}
            onInput={(event) => onChange(asText(event.currentTarget.value, check))}
          />
        )}
        <input ref={picker} type="file" multiple hidden aria-label={`${name}: FASTA file`} onChange={(event) => { onFiles([...(event.currentTarget.files ?? [])]); event.currentTarget.value = ""; }} />
      </div>
      <div id={status} class="query-status" aria-live="polite"><Status genome={genome} words={words} refused={refused} onShow={show} check={check} onChange={onChange} /></div>
    </Panel>
  );
}

interface RecordsProps {
  name: string;
  databases: Database[];
  database: { name: string; accessions: string };
  describedBy: string;
  onChange(database: { name: string; accessions: string }): void;
}

function Records({ name, databases, database, describedBy, onChange }: RecordsProps) {
  return (
    <div class="fields records">
      <label class="field span">
        <span>Database</span>
        <select aria-label={`${name}: Database`} value={database.name} onChange={(event) => onChange({ ...database, name: event.currentTarget.value })}>
          {databases.map((each) => <option key={each.name} value={each.name}>{each.title || each.name} ({plural(each.sequences, "record")}, {count(each.residues)} letters)</option>)}
        </select>
      </label>
      <label class="field span">
        <span>Accessions, by blanks or commas</span>
        <input aria-label={`${name}: Accessions, by blanks or commas`} aria-describedby={describedBy} autocomplete="off" spellcheck={false} value={database.accessions} onInput={(event) => onChange({ ...database, accessions: event.currentTarget.value })} />
      </label>
    </div>
  );
}

interface StatusProps extends Required<Pick<Props, "genome" | "words" | "check">>, Pick<Props, "refused" | "onChange"> {
  onShow(): void;
}

function Status({ genome, words, check, refused, onShow, onChange }: StatusProps) {
  const { text, dna, file, database } = genome;
  if (dna?.fault) {
    const removal = removalOf(text, (mended) => !check(mended).fault);
    return <span class="bad"><Icon name="warning" />{capital(faultText(dna.fault))}<button type="button" class="link" onClick={onShow}>Show</button>{removal && <button type="button" class="mend" onClick={() => onChange(asText(removal.text, check))}>{removal.label}</button>}</span>;
  }
  const fault = file?.problem?.detail ?? refused;
  if (fault) return <span class="bad"><Icon name="warning" />{fault}</span>;
  if (database) return <span class="dim">{plural(accessionsOf(database.accessions).length, "record")}</span>;
  const known = file ? file.upload : dna;
  if (known) return <span class="good"><Icon name="check" />{plural(known.records, "record")}, {plural(known.letters, "letter")}</span>;
  return <span class="dim">{file ? `Sending… ${count(Math.floor(file.share * 100))} %` : words.letters}</span>;
}

