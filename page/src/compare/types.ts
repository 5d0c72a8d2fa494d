// A comparison as the service tells it.
import type { Problem } from "../api";

export interface Comparison {
  id: string;
  state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  title: string;
  parameters: Parameters;
  created_at: string;
  finished_at: string | null;
  expires_at: string;
  progress: number;
  phase: string | null;
  parts: { done: number; total: number };
  error: Problem | null;
  position: number | null;
  estimate_s: number | null;
  reused: boolean;
  certificate: Certificate | null;
  summary: Summary | null;
}

export interface Parameters {
  word: number;
  sensitivity: string;
  max_frequency: number | null;
  min_length: number;
  min_identity: number;
  extension: string;
  strands: string;
  gapped: string;
  [name: string]: unknown;
}

export interface Certificate {
  exact: boolean;
  parts: number;
  engines: string[];
  software: string;
}

interface Size {
  records: number;
  letters: number;
}

interface Side {
  covered: number;
  percent: number;
}

export interface Summary {
  query: Size;
  subject: Size;
  strands: { strand: "+" | "-"; hsps: number; counts: { [name: string]: number } }[];
  matches: number;
  coverage: { query: Side; subject: Side; gecko: number };
  policy: { all_seeds: boolean; sampled_words: number; least_frequency: number | null };
  synteny: { chains: number; counts: { [kind: string]: number }; blocks: Block[] };
  gapped: { aligned: number; ungapped: number; alignments: number } | null;
}

export interface Block {
  kind: string;
  query: string;
  query_from: number;
  query_to: number;
  subject: string;
  subject_from: number;
  subject_to: number;
  strand: "+" | "-";
  score: number;
  length: number;
  identity: number;
}
