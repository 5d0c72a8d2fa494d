// What fills the form of pairs: an address, another site's form, or an earlier job.
import { textsOf, type Values } from "../fields";
import { asked, choicesOf, short, type Asked } from "../form/asked";
import { emptyOf, endsOf, FREE, LABELS, usualOf } from "./fields";
import type { Alignment } from "./types";

/** The fields of an earlier job. */
export function earlier({ parameters, title }: Alignment): Values {
  const ends = parameters.free_ends;
  const used = { ...parameters, mode: ends?.length ? FREE : (parameters.mode ?? "global"), free_ends: ends?.join(" ") };
  const texts = textsOf(Object.keys(LABELS), used);
  return { ...textsOf(Object.keys(LABELS), used, (name) => emptyOf(name, texts, parameters.alphabet ?? "protein")), title };
}

export const askedHere = (): Asked | undefined =>
  asked({ fields: [...Object.keys(LABELS), "title"], others: ["queries", "subjects"], usual: (name) => usualOf(name, "protein"), own: { free_ends: takeEnds } });

function takeEnds(text: string, { values, notes }: Asked): void {
  const known = choicesOf("free_ends");
  const ends = endsOf({ free_ends: text });
  const wrong = ends.find((end) => !known.includes(end));
  if (wrong) notes.push(`“${short(wrong)}” is no end of a sequence: ${known.join(", ")} are.`);
  else Object.assign(values, { mode: FREE, free_ends: ends.join(" ") });
}
