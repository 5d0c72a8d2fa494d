// What can be taken away: the list in every format, the plot as the server draws it, and the view as it is seen.
import { at, boot } from "../api";
import { Menu } from "../menu";
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
  const known = FORMATS.filter(({ format }) => boot.info.comparison_formats?.includes(format));
  return (
    <Menu label="Download">
      {(close) => (
        <>
          {known.map(({ format, label }) => (
            <li key={format}><a href={at(`${address}/results?format=${format}`)} download="" onClick={close}>{label}</a></li>
          ))}
          <li><a href={at(`${address}/figures/dotplot.svg`)} download="" onClick={close}>Dot plot, SVG</a></li>
          <li><a href={at(`${address}/figures/dotplot.png`)} download="" onClick={close}>Dot plot, PNG</a></li>
          <li><button type="button" onClick={() => { savePicture(`${comparison.id}.view.png`); close(); }}>This view, PNG</button></li>
        </>
      )}
    </Menu>
  );
}
