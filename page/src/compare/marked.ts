// A row of the list that is pointed at or chosen.
import { useState } from "preact/hooks";
import type { Hsps } from "./hsps";

/** A row's number, -1 for none: in another list it is another's. */
export function useRow(hsps: Hsps): [number, (row: number) => void] {
  const [known, setKnown] = useState({ hsps, row: -1 });
  return [known.hsps === hsps ? known.row : -1, (row) => setKnown({ hsps, row })];
}
