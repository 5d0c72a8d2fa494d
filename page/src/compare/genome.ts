// A genome, or another list of sequences, on its way into a request: pasted, a file that is uploaded, or records of a database.
import { useRef, useState } from "preact/hooks";
import { at, ProblemError, type Problem } from "../api";
import { asFasta, checkDna, type Dna } from "./dna";

export interface Upload {
  id: string;
  records: number;
  letters: number;
}

interface GenomeFile {
  name: string;
  share: number;
  upload?: Upload;
  problem?: Problem;
}

export interface Genome {
  text: string;
  dna?: Dna;
  file?: GenomeFile;
  /** Accessions as they were typed, by blanks or commas. */
  database?: { name: string; accessions: string };
}

export type Source = string | { upload: string } | { database: string; accessions: string[] };

export const EMPTY: Genome = { text: "" };

export type Check = (text: string) => Dna;

export const asText = (text: string, check: Check = checkDna): Genome => (text.trim() ? { text, dna: check(text) } : EMPTY);

export const accessionsOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean);

/** What a genome is in a request; nothing while it is none. */
export function sourceOf({ text, dna, file, database }: Genome, name: string): Source | undefined {
  if (database) {
    const accessions = accessionsOf(database.accessions);
    return database.name && accessions.length ? { database: database.name, accessions } : undefined;
  }
  if (file) return file.upload && { upload: file.upload.id };
  return dna && !dna.fault && dna.letters > 0 ? asFasta(text, name) : undefined;
}

/** What a genome is called that nobody has named; pasted: what the server calls letters without a header. */
export function nameOf({ text, file, database }: Genome, pasted: string): string {
  if (database) return accessionsOf(database.accessions)[0] ?? database.name;
  return file?.name ?? /^[ \t]*[>@][ \t]*(\S+)/m.exec(text)?.[1] ?? pasted;
}

/** A genome that is changed by hand, and by a file that is sent as soon as it is chosen, as letters of an alphabet or any. */
export function useGenome(first: Genome, alphabet = "dna"): { genome: Genome; take(genome: Genome): void; send(file: File): void } {
  const [genome, setGenome] = useState(first);
  const abort = useRef<() => void>(() => undefined);
  const take = (next: Genome) => {
    abort.current();
    setGenome(next);
  };
  const send = (file: File) => {
    const known = (more: Partial<GenomeFile>) => setGenome({ text: "", file: { name: file.name, share: 1, ...more } });
    abort.current();
    const [done, stop] = upload(file, alphabet, (share) => known({ share }));
    abort.current = stop;
    known({ share: 0 });
    done.then((kept) => known({ upload: kept }), (error: unknown) => known({ problem: (error as ProblemError).problem }));
  };
  return { genome, take, send };
}

/** Send a file as it is; fetch says nothing of how much has gone. */
function upload(file: File, alphabet: string, progress: (share: number) => void): [Promise<Upload>, () => void] {
  const request = new XMLHttpRequest();
  const done = new Promise<Upload>((resolve, reject) => {
    request.open("POST", at(`/v1/uploads${alphabet && `?alphabet=${alphabet}`}`));
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
