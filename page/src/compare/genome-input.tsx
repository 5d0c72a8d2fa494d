// One genome of the form: pasted, or a file that is uploaded at once, whatever its size, and checked as it comes.
import { useRef, useState } from "preact/hooks";
import { at, ProblemError, type Problem } from "../api";
import { count, plural } from "../numbers";
import { Icon, Panel } from "../parts";
import { checkDna, type Dna } from "./dna";

export interface Upload {
  id: string;
  records: number;
  letters: number;
}

export interface Genome {
  text: string;
  dna?: Dna;
  file?: { name: string; share: number; upload?: Upload; problem?: Problem };
}

export const EMPTY: Genome = { text: "" };

export const asText = (text: string): Genome => (text.trim() ? { text, dna: checkDna(text) } : EMPTY);

/** What a genome is in a request; nothing while it is none. */
export function sourceOf({ text, dna, file }: Genome): string | { upload: string } | undefined {
  if (file) return file.upload && { upload: file.upload.id };
  return dna && !dna.fault && dna.letters > 0 ? text : undefined;
}

export const sizeOf = ({ dna, file }: Genome): number => file?.upload?.letters ?? dna?.letters ?? 0;

/** Send a file as it is; fetch says nothing of how much has gone. */
export function upload(file: File, progress: (share: number) => void): [Promise<Upload>, () => void] {
  const request = new XMLHttpRequest();
  const done = new Promise<Upload>((resolve, reject) => {
    request.open("POST", at("/v1/uploads?alphabet=dna"));
    request.responseType = "json";
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onload = () => (request.status < 300 ? resolve(request.response as Upload) : reject(new ProblemError(problemIn(request))));
    request.onerror = () => reject(new ProblemError(problemIn(request)));
    request.send(file);
  });
  return [done, () => request.abort()];
}

function problemIn(request: XMLHttpRequest): Problem {
  const said = request.response as Problem | null;
  if (said && typeof said.detail === "string") return said;
  return { type: "about:blank", title: "The upload failed", status: request.status, detail: "The connection failed while the file was sent: choose it again.", retryable: true };
}

interface Props {
  name: "Query" | "Subject";
  genome: Genome;
  /** What the server has against it. */
  refused: string | undefined;
  onChange(genome: Genome): void;
}

export function GenomeInput({ name, genome, refused, onChange }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const abort = useRef<() => void>(() => undefined);
  const [over, setOver] = useState(false);
  const { file } = genome;
  const take = (next: Genome) => {
    abort.current();
    onChange(next);
  };
  const send = (chosen: File | undefined) => {
    if (!chosen) return;
    const known = (more: Partial<NonNullable<Genome["file"]>>) => onChange({ text: "", file: { name: chosen.name, share: 1, ...more } });
    abort.current();
    const [done, stop] = upload(chosen, (share) => known({ share }));
    abort.current = stop;
    known({ share: 0 });
    done.then((kept) => known({ upload: kept }), (error: unknown) => known({ problem: (error as ProblemError).problem }));
  };
  const aside = (
    <div class="row">
      <button type="button" class="quiet" onClick={() => picker.current?.click()}><Icon name="file" />Choose a file</button>
      <button type="button" class="quiet" disabled={!genome.text && !file} onClick={() => take(EMPTY)}>Clear</button>
    </div>
  );
  const status = `${name.toLowerCase()}-status`;
  return (
    <Panel title={name} aside={aside} class="query genome">
      <div
        class={over ? "drop over" : "drop"}
        onDragOver={(event) => { event.preventDefault(); setOver(true); }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => { event.preventDefault(); setOver(false); send(event.dataTransfer?.files[0]); }}
      >
        {file ? (
          <div class="file-card">
            <Icon name="file" />
            <div class="file-text">
              <strong>{file.name}</strong>
              {!file.upload && !file.problem && <progress max={1} value={file.share} aria-label={`Share of ${file.name} that is sent`} />}
            </div>
          </div>
        ) : (
          <textarea
            aria-label={`${name}: DNA in FASTA`}
            aria-describedby={status}
            aria-invalid={Boolean(genome.dna?.fault)}
            placeholder={"Paste DNA in FASTA, or drop a file here: FASTA, plain or gzip, of any size that this server takes."}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            value={genome.text}
            onInput={(event) => take(asText(event.currentTarget.value))}
          />
        )}
        <input ref={picker} type="file" hidden aria-label={`${name}: FASTA file`} onChange={(event) => { send(event.currentTarget.files?.[0]); event.currentTarget.value = ""; }} />
      </div>
      <div id={status} class="query-status" aria-live="polite"><Status genome={genome} refused={refused} /></div>
    </Panel>
  );
}

function Status({ genome, refused }: { genome: Genome; refused: string | undefined }) {
  const { dna, file } = genome;
  const fault = file?.problem ? (file.problem.errors?.[0]?.detail ?? file.problem.detail) : (dna?.fault ?? refused);
  if (fault) return <span class="bad"><Icon name="warning" />{fault}</span>;
  const known = file ? file.upload : dna;
  if (known) return <span class="good"><Icon name="check" />{plural(known.records, "record")}, {plural(known.letters, "letter")}</span>;
  return <span class="dim">{file ? `Sending… ${count(Math.floor(file.share * 100))} %` : "A, C, G, T and IUPAC's codes; what is not A, C, G or T matches nothing."}</span>;
}
