// A genome as the plot's axes count it: its records one after another, places from 0 without gaps between them.
export interface Genome {
  names: string[];
  /** What records are called here: those of one name with their numbers. */
  labels: string[];
  /** Where each record begins, and where the last one ends. */
  offsets: number[];
  letters: number;
}

export interface NamedLength {
  name: string;
  length: number;
}

export function genomeOf(records: NamedLength[]): Genome {
  const names = records.map(({ name }) => name);
  const offsets = [0];
  for (const { length } of records) offsets.push(offsets[offsets.length - 1]! + length);
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  const labels = names.map((name, place) => (times.get(name) === 1 ? name : `${name} (#${place + 1})`));
  return { names, labels, offsets, letters: offsets[offsets.length - 1]! };
}

/** Whether each record has a name of its own. */
export const isNamed = ({ names, labels }: Genome): boolean => names.every((name, place) => name === labels[place]);

/** What a record is called in a request: several of one name go by their numbers. */
export const requestName = ({ names, labels }: Genome, record: number): string =>
  names[record] === labels[record] ? names[record]! : `#${record + 1}`;

/** Records by their names, but for names of several. */
export function recordsOf({ names, labels }: Genome): Map<string, number> {
  const records = new Map<string, number>();
  names.forEach((name, record) => { if (name === labels[record]) records.set(name, record); });
  return records;
}

export const lengthOf = ({ offsets }: Genome, record: number): number => offsets[record + 1]! - offsets[record]!;

/** The number of the record that a place is in. */
export function recordAt({ offsets, names }: Genome, place: number): number {
  let low = 0;
  let high = names.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A stretch of one record, by its number from 0; places count from 1, the last letter included. */
export interface Stretch {
  record: number;
  from: number;
  to: number;
}

/** The part of [from, to) that lies in the record that has most of it. */
export function stretchOf(genome: Genome, from: number, to: number): Stretch {
  let best = { record: 0, from: 1, to: 1 };
  let most = 0;
  for (let record = recordAt(genome, from); record < genome.names.length && genome.offsets[record]! < to; record += 1) {
    const begin = Math.max(from, genome.offsets[record]!);
    const end = Math.min(to, genome.offsets[record + 1]!);
    if (end - begin <= most) continue;
    most = end - begin;
    const before = genome.offsets[record]!;
    best = { record, from: Math.floor(begin - before) + 1, to: Math.max(Math.ceil(end - before), Math.floor(begin - before) + 1) };
  }
  return best;
}

/** Where a stretch is in the genome, [from, to); nothing where there is no such record. */
export function rangeOf({ offsets, names }: Genome, { record, from, to }: Stretch): [number, number] | undefined {
  return record in names ? [offsets[record]! + from - 1, offsets[record]! + to] : undefined;
}
