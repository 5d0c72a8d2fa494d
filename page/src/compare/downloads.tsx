// What can be taken away: the list in every format, the plot as the server draws it, and the view as it is seen.
import { boot } from "../api";
import { calledAfter } from "../file-name";
import { Files, Menu, type File } from "../menu";
import { savePicture } from "./draw";
import type { Comparison } from "./types";

const FORMATS: { format: string; label: string }[] = [
  { format: "tab", label: "Table, tab-separated" },
  { format: "csv", label: "GECKO's CSV" },
  { format: "paf", label: "PAF" },
  { format: "maf", label: "MAF" },
  { format: "psl", label: "PSL" },
  { format: "chain", label: "Chain" },
  { format: "bed", label: "BED" },
  { format: "json", label: "JSON" },
  { format: "ndjson", label: "JSON, one a line" },
];

export function Downloads({ comparison }: { comparison: Comparison }) {
  const address = `/v1/comparisons/${comparison.id}`;
  const files: File[] = [
    ...FORMATS.filter(({ format }) => boot.info.comparison_formats?.includes(format)).map(({ format, label }): File => [label, `${address}/results?format=${format}`]),
    ["Dot plot, SVG", `${address}/figures/dotplot.svg`],
    ["Dot plot, PNG", `${address}/figures/dotplot.png`],
  ];
  return (
    <Menu label="Download">
      {(close) => (
        <>
          <Files files={files} close={close} />
          <li><button type="button" onClick={() => { savePicture(`${calledAfter(comparison)}.view.png`); close(); }}>This view, PNG</button></li>
        </>
      )}
    </Menu>
  );
}
