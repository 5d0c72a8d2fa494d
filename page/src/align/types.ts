// Jobs of pairs as the service tells them.
import type { components } from "../schema";

type Schemas = components["schemas"];
export type Alignment = Schemas["Alignment"];
export type AlignmentEstimate = Schemas["AlignmentEstimate"];
export type PairParameters = Schemas["PairParameters"];
export type Letters = "protein" | "dna";
