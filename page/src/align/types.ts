// Jobs of pairs as the service tells them.
import type { components } from "../schema";

type Schemas = components["schemas"];
export type Alignment = Schemas["Alignment"];
export type AlignmentEstimate = Schemas["AlignmentEstimate"];
export type PairParameters = Schemas["PairParameters"];
export type Letters = "protein" | "dna";

/** What the form may hold. */
export interface PairFields {
  /** What each parameter means. */
  about: { [name: string]: string };
  /** The defaults of either alphabet. */
  usual: { [letters in Letters]: PairParameters };
}
