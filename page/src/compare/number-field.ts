// Numbers as people write them into a field: with thousands separators or without.
import { useState } from "preact/hooks";

/** The number of a text; NaN where it is none. */
export function numberIn(text: string): number {
  const plain = text.trim();
  const digits = /^\d{1,3}([\s,'’_]\d{3})+(\.|$)/.test(plain) ? plain.replace(/[\s,'’_]/g, "") : plain;
  return /^\d{1,10}(\.\d{0,4})?$/.test(digits) ? Number(digits) : NaN;
}

/** A field's text: as it was typed for as long as it means the value that the field has. */
export function useTyped<T>(value: T, read: (text: string) => T): [string, (text: string) => void] {
  const [text, setText] = useState(String(value));
  return [Object.is(read(text), value) ? text : String(value), setText];
}
