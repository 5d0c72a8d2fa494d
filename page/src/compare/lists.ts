// The two lists of a form, genomes or others: changed by hand, by files, and looked after when the form opens.
import { useEffect, useState } from "preact/hooks";
import { checked } from "./draft";
import { useGenome, type Genome } from "./genome";

interface Filled {
  query: Genome;
  subject: Genome;
  notes?: string[];
}

/** what: what a list is called; onTouch: what follows a change by hand. */
export function useLists(filled: Filled, what: string, alphabet: string, onTouch: () => void) {
  const query = useGenome(filled.query, alphabet);
  const subject = useGenome(filled.subject, alphabet);
  const [notes, setNotes] = useState(filled.notes ?? []);
  const sides = [query, subject];
  useEffect(() => {
    for (const { genome, take } of sides) void checked(genome).then((now) => { if (now !== genome) take(now); });
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
  const isEmpty = ({ genome: { text, file, database } }: typeof query) => !text && !file && !database;
  return {
    query: input(query),
    subject: input(subject),
    takes: [query.take, subject.take],
    notes,
    /** Beside both lists: the first one that is empty has room. */
    onFiles: files(sides.find(isEmpty) ?? query),
  };
}
