// A comparison as the service tells it.
import type { components } from "../schema";

type Schemas = components["schemas"];
export type Comparison = Schemas["Comparison"];
export type Summary = Schemas["Summary"];
export type Block = Schemas["SyntenyBlock"];
export type ComparisonEstimate = Schemas["ComparisonEstimate"];
export type AlignmentJob = Schemas["Alignment"];
export type AlignedPair = Schemas["AlignedPair"];
