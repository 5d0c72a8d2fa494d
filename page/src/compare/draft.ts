// What the form of a comparison holds, kept until the tab is closed: texts that are not too long, uploads by their names.
import { askJson, boot, problemOf, type Problem } from "../api";
import { read, write } from "../history";
import { asText, EMPTY, type Genome, type Upload } from "./genome";
import type { Values } from "../fields";
import { FIRST } from "./settings";

const DRAFT = `shardwater:${boot.root}:comparison-draft`;
const LONGEST = 300_000;

export interface Draft {
  query: Genome;
  subject: Genome;
  values: Values;
}

export function readDraft(): Draft {
  const { query, subject, values } = read<Partial<Draft>>(DRAFT, {}, sessionStorage);
  return { query: restored(query), subject: restored(subject), values: values ?? FIRST };
}

function restored(genome: Genome | undefined): Genome {
  if (genome?.file || genome?.database) return genome;
  return typeof genome?.text === "string" ? asText(genome.text) : EMPTY;
}

export const keepDraft = ({ query, subject, values }: Draft): void => write(DRAFT, { query: kept(query), subject: kept(subject), values }, sessionStorage);

function kept({ text, file, database }: Genome): Genome {
  if (database) return { text: "", database };
  if (file) return { text: "", file: file.upload ? file : { ...file, problem: lost("is not here any more: choose it again") } };
  return text.length <= LONGEST ? { text } : { text: "", file: { name: "The pasted text", share: 1, problem: lost("was too long to be kept in this browser: paste it again") } };
}

const lost = (why: string): Problem => ({ type: "about:blank", title: "Not kept", status: 0, detail: `It ${why}.`, retryable: false });

/** A file of a draft once more, as far as the server still has it. */
export async function checked(genome: Genome): Promise<Genome> {
  const { file } = genome;
  if (!file?.upload) return genome;
  try {
    await askJson<Upload>(`/v1/uploads/${file.upload.id}`);
    return genome;
  } catch (error) {
    const gone = [404, 410].includes(problemOf(error).status);
    return gone ? { text: "", file: { name: file.name, share: 1, problem: lost("is kept no longer by the server: choose it again") } } : genome;
  }
}
