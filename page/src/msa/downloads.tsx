// What can be taken away: the MSA of one chain, or of all, in every format, and pictures of one.
import { FigureEntries } from "../figure";
import { Files, Menu } from "../menu";
import { rowsOf, wantedOf, type Kind, type Msas } from "./types";

const FORMATS = [
  { format: "a3m", label: "A3M" },
  { format: "stockholm", label: "Stockholm" },
  { format: "fasta", label: "Aligned FASTA" },
  { format: "m8", label: "Table, tab-separated (BLAST 6)" },
  { format: "json", label: "JSON" },
];

const FIGURES = [
  { name: "rows", label: "First rows" },
  { name: "conservation", label: "Coverage and conservation" },
];

interface Props {
  msas: Msas;
  chain: number;
  kind: Kind;
}

export function Downloads({ msas, chain, kind }: Props) {
  const one = msas.chains.length === 1;
  const list = (wanted: string, close: () => void) => <Files files={FORMATS.map(({ format, label }) => [label, `/v1/msas/${msas.id}/results?format=${format}${wanted}`])} close={close} />;
  return (
    <Menu label="Download">
      {(close) => (
        <>
          {!one && <li class="menu-head">This chain</li>}
          {list(`&${wantedOf(chain, kind)}`, close)}
          {!one && <li class="menu-head">All {msas.chains.length} chains, a file for each</li>}
          {!one && list(rowsOf(kind), close)}
          <FigureEntries figures={FIGURES.map(({ name, label }) => ({ label, path: `/v1/msas/${msas.id}/figures/${name}.svg?${wantedOf(chain, kind)}` }))} close={close} />
        </>
      )}
    </Menu>
  );
}
