// What was done for MSAs: in words, as code, and parameter by parameter.
import { Made, usedOf } from "../made";
import { count, day, plural } from "../numbers";
import { save } from "../parts";
import type { Same } from "../repeat";
import { ADJUSTED, databasesText, scoredText, softwareText, STATISTICS } from "../result/words";
import { useProblem, Trouble } from "../trouble";
import { problemOf } from "../api";
import { chainsOf, fastaOf, isComplex } from "./chains";
import { LABELS } from "./settings";
import { rowsOf, type Kind, type MsaParameters, type Msas, type Searched } from "./types";

interface Props {
  msas: Msas;
  searched: Searched;
  kind: Kind;
}

export function Methods({ msas, searched, kind }: Props) {
  const { parameters } = msas;
  const [problem, setProblem] = useProblem();
  if (!parameters) return null;
  const same = sameOf(msas, parameters, kind);
  const { as, file } = same.inputs[0]!;
  const keep = async () => {
    setProblem(undefined);
    try {
      const chains = await chainsOf(msas);
      const text = as === "text" ? chains.map(fastaOf).join("") : `${JSON.stringify(complexesOf(msas, chains.map(fastaOf)), null, 1)}\n`;
      save(file, "text/plain", text);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <>
      {problem && <Trouble problem={problem} />}
      <Made
        text={methodsText(msas, parameters, searched, kind)}
        same={same}
        files={[{ what: as === "text" ? "the chains" : "the complexes, each with its chains,", save: () => void keep() }]}
        used={usedOf({ databases: "Databases", then: "Further databases", ...LABELS }, parameters)}
      />
    </>
  );
}

/** Chains of a complex together, as a request has them. */
function complexesOf({ chains }: Msas, texts: string[]): { chains: string[] }[] {
  const found = new Map<number, string[]>();
  chains.forEach(({ complex }, place) => found.set(complex, [...(found.get(complex) ?? []), texts[place]!]));
  return [...found.values()].map((each) => ({ chains: each }));
}

function sameOf(msas: Msas, parameters: MsaParameters, kind: Kind): Same {
  const many = msas.chains.length > 1;
  const file = many ? "msas.tar.gz" : "msa.a3m";
  const of = { databases: "", then: `, of="then"`, pairs: ", pairs=True" }[kind];
  return {
    kind: "msas",
    fields: { ...parameters, title: msas.title },
    inputs: [isComplex(msas) ? { field: "queries", file: "complexes.json", as: "json" } : { field: "queries", file: "chains.fasta", as: "text" }],
    format: `format=a3m${rowsOf(kind)}`,
    file,
    call: "msa",
    client: `    found.save("${file}", format="a3m"${of})\n`,
  };
}

/** A paragraph for a paper. */
function methodsText({ chains, created_at }: Msas, asked: MsaParameters, { software, databases, certificate, parameters }: Searched, kind: Kind): string {
  const [first] = chains;
  const unfitted = chains.filter(({ stages }) => stages[kind === "then" ? 1 : 0]?.warnings.some(({ code }) => code === "no-fit")).length;
  const of = chains.length > 1 ? `each of ${count(chains.length)} protein chains` : `the protein ${first!.id} (${plural(first!.length, "residue")})`;
  const searched = `${databasesText(databases)}, ${count(certificate.subjects)} sequences, ${count(certificate.residues)} residues`;
  const profile = `a position-specific scoring matrix of the rows of the round before with E-values up to ${asked.inclusion_evalue}`;
  const rounds = asked.iterations > 1 ? `in up to ${asked.iterations} rounds, each but the first with ${profile}` : "in one round";
  return [
    `Of ${of} a multiple sequence alignment (MSA) was made on ${day(created_at)} with ${softwareText(software)}.`,
    kind === "then"
      ? `${asked.databases.join(", ")} was searched ${rounds}. With the profiles of what was found, these rows were then searched for once in ${searched}.`
      : `Its rows were searched for ${rounds}, in ${searched}.${asked.then.length ? ` With the profiles of what was found, ${asked.then.join(", ")} was searched besides; these rows stand apart.` : ""}`,
    parameters && scoredText(parameters).trim(),
    parameters && `${STATISTICS[unfitted < chains.length ? parameters.statistics : "table"] ?? `Statistics: ${parameters.statistics}`}${unfitted > 0 && unfitted < chains.length ? `; for ${plural(unfitted, "chain")} no fit could be made, and published parameters stand in` : ""}.`,
    parameters?.composition === "adjusted" && unfitted < chains.length && ADJUSTED.trim(),
    `A row is the alignment of a sequence with the query, with an E-value up to ${asked.evalue}; of each chain ${count(asked.max_sequences)} at most were taken, best first.`,
    asked.filter === "diverse" && "Of many rows those were kept that are unlike each other, by the rules and limits of HHsuite's filter as ColabFold has it.",
    asked.pairing !== "none" && `Rows of the chains of a complex that are of one organism were paired: the best of each chain, of organisms that ${asked.pairing === "complete" ? "all" : "two or more"} of the chains have.`,
  ].filter(Boolean).join(" ");
}
