// What is looked at, kept in the address.
import { useEffect, useState } from "preact/hooks";
import { useRested } from "../parts";
import { hashOf, lookOf, wholeView, type Look } from "./link";
import type { Size } from "./view";

const RESTED_MS = 120;

/** What is looked at, as the address has it; the address follows once it has rested. */
export function useLook(whole: Size): [Look, (look: Look) => void] {
  const [look, setLook] = useState<Look>(() => lookOf(location.hash, whole));
  const rested = useRested(look, RESTED_MS);
  useEffect(() => {
    const hash = hashOf(rested, whole);
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname);
  }, [rested]);
  useEffect(() => {
    const changed = () => setLook(location.hash ? lookOf(location.hash, whole) : wholeView(whole));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, [whole]);
  return [look, setLook];
}
