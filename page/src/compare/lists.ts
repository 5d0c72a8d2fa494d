// The two lists of a form, genomes or others: changed by hand, by files, and looked after when the form opens.
import { useEffect, useState } from "preact/hooks";
import { askJson, problemOf, type Problem } from "../api";
import { taken } from "../form/asked";
import { KINDS, recall, type Kind } from "../history";
import { checked, restored, type Lists } from "./draft";
import { useGenome, type Check, type Genome } from "./genome";

interface Filled extends Lists {
  notes?: string[];
}

/** How an earlier job that the address names fills the form. */
interface Earlier<T> {
  kind: Kind;
  /** Takes its parameters, and says how texts are checked, and what cannot be had again. */
  fill(job: T): { check?: Check; lost?: string[] };
  fail(problem: Problem): void;
}

/** what: what a list is called; onTouch: what follows a change by hand. */
export function useLists<T>(filled: Filled, what: string, alphabet: string, onTouch: () => void, { kind, fill, fail }: Earlier<T>) {
  const query = useGenome(filled.query, alphabet);
  const subject = useGenome(filled.subject, alphabet);
  const [notes, setNotes] = useState(filled.notes ?? []);
  const sides = [query, subject];
  useEffect(() => {
    const id = new URLSearchParams(location.search).get("edit");
    taken();
    const look = (lists: Lists) => [lists.query, lists.subject].forEach((list, place) => {
      void checked(list).then((now) => { if (now !== sides[place]!.genome) sides[place]!.take(now); });
    });
    if (!id) return look(filled);
    askJson<T>(`/v1/${kind}/${encodeURIComponent(id)}`).then((job) => {
      const kept = recall(id)?.request as Partial<Lists> | undefined;
      const { check, lost = [] } = fill(job);
      setNotes(kept ? lost : [`The parameters are those of the ${KINDS[kind]}. Its sequences are not: this browser has not kept them, and the server does not give them back. Add them again.`, ...lost]);
      look({ query: restored(kept?.query, check), subject: restored(kept?.subject, check) });
    }, (error: unknown) => fail(problemOf(error)));
  }, []);
  /** One file goes where it was dropped; of two the first is the query. */
  const files = (here: typeof query) => (chosen: File[]) => {
    onTouch();
    setNotes(chosen.length > 2 ? [`These are more than two files: drop one for each ${what}, or put the records of a ${what} into one file.`] : []);
    if (chosen.length === 1) here.send(chosen[0]!);
    if (chosen.length === 2) sides.forEach(({ send }, place) => send(chosen[place]!));
  };
  const input = (side: typeof query) => ({
    genome: side.genome,
    onChange: (genome: Genome) => {
      onTouch();
      setNotes([]);
      side.take(genome);
    },
    onFiles: files(side),
  });
  const isEmpty = ({ genome: { text, file, database } }: typeof query) => !text && !file && !database?.accessions.trim();
  const empty = sides.filter(isEmpty);
  return {
    query: input(query),
    subject: input(subject),
    takes: [query.take, subject.take],
    notes,
    /** Beside both lists: the first one that is empty has room. */
    onFiles: files(empty[0] ?? query),
    missing: empty.length > 0 && `Add ${empty.length > 1 ? `both ${what}s` : `the other ${what}`}.`,
  };
}
