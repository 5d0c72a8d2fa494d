// How to search: every parameter that the server publishes, but for what the page decides itself.
import { useState } from "preact/hooks";
import { boot, parameter } from "../api";
import { ChoiceField, TypedField, valueOf, type Faults, type Shared, type Values } from "../fields";
import { Settings } from "./settings";
import { hasOwnCosts, LABELS, MORE, PRESETS, recommended } from "./values";

const OTHER = "other";
/** Methods that need published parameters of the gap costs. */
const PUBLISHED = ["table", "karlin-altschul"];
/** One that any gap costs will do for. */
const FITTED = "fitted";
const EMPTY: { [name: string]: string } = { taxids: "all, or as 9606,10090", negative_taxids: "none, or as 562", query_loc: "all, or as 5-40" };

/** Whether any database knows taxa, each of which stands for all that descends from it. */
const hasTaxa = boot.databases.some(({ taxonomy }) => taxonomy !== undefined && taxonomy !== "none");

interface Props {
  values: Values;
  faults: Faults;
  onChange(values: Values): void;
}

export function Parameters({ values, faults, onChange }: Props) {
  // The fields stay while one types costs that happen to be published; `before` is the method that had to go for them.
  const [own, setOwn] = useState<{ before?: string }>();
  const isOwn = own !== undefined || hasOwnCosts(values);
  const method = valueOf(values, "statistics");
  const unscored = method === "none";
  const pick = (costs: string) => {
    if (costs === OTHER) {
      const needed = PUBLISHED.includes(method);
      setOwn(needed ? { before: values.statistics ?? "" } : {});
      return onChange({ ...values, gap_open: "10", gap_extend: "3", ...(needed && { statistics: FITTED }) });
    }
    const [open = "", extend = ""] = costs.split("/");
    const usual = recommended(valueOf(values, "matrix"));
    const isUsual = costs === `${usual?.gap_open}/${usual?.gap_extend}`;
    setOwn(undefined);
    // Whoever has chosen another method meanwhile keeps that.
    const back = own?.before !== undefined && method === FITTED && { statistics: own.before };
    onChange({ ...values, gap_open: isUsual ? "" : open, gap_extend: isUsual ? "" : extend, ...back });
  };
  const pickMatrix = (matrix: string) => {
    setOwn(undefined);
    onChange({ ...values, matrix, gap_open: "", gap_extend: "" });
  };
  const more = (shared: Shared, name: string) => {
    const known = parameter(name)?.values ?? [];
    if (!hasTaxa && name.endsWith("taxids")) return null;
    if (known.length === 0) return <TypedField key={name} {...shared} name={name} empty={EMPTY[name]} disabled={unscored && name === "min_bits"} />;
    const off = name === "statistics" && hasOwnCosts(values) ? PUBLISHED : [];
    return <ChoiceField key={name} {...shared} name={name} span choices={known.map((each) => ({ ...each, off: off.includes(each.value) }))} />;
  };
  return (
    <Settings kind="search" noun="search" labels={{ ...LABELS, costs: "Gap open, extend" }} presets={PRESETS} {...{ values, faults, onChange }} onPreset={() => setOwn(undefined)}>
      {(shared) => (
        <>
          <div class="fields">
            <ChoiceField {...shared} name="matrix" choices={MATRICES} onPick={pickMatrix} />
            <GapCosts shared={shared} isOwn={isOwn} onPick={pick} />
            {isOwn && <TypedField {...shared} name="gap_open" />}
            {isOwn && <TypedField {...shared} name="gap_extend" />}
            <TypedField {...shared} name="evalue" disabled={unscored} />
            <TypedField {...shared} name="max_target_seqs" />
          </div>
          <details class="more" open={Object.keys(MORE).some((name) => values[name])}>
            <summary>More parameters</summary>
            <div class="fields">{Object.keys(MORE).map((name) => more(shared, name))}</div>
          </details>
        </>
      )}
    </Settings>
  );
}

const MATRICES = /* @__PURE__ */ boot.parameters.matrices.map(({ matrix }) => ({ value: matrix, label: matrix }));

interface CostsProps {
  shared: Shared;
  isOwn: boolean;
  onPick(costs: string): void;
}

/** The pairs with published statistics, and any other where a method does without them. */
function GapCosts({ shared, isOwn, onPick }: CostsProps) {
  const { values } = shared;
  const matrix = valueOf(values, "matrix");
  const pairs = boot.parameters.matrices.find((each) => each.matrix === matrix)?.gap_costs ?? [];
  const usual = recommended(matrix);
  const costs = isOwn ? OTHER : `${values.gap_open || usual?.gap_open}/${values.gap_extend || usual?.gap_extend}`;
  const choices = pairs.map((pair) => ({ value: `${pair.gap_open}/${pair.gap_extend}`, label: `${pair.gap_open}, ${pair.gap_extend}${pair.recommended ? " (usual)" : ""}` }));
  return <ChoiceField {...shared} values={{ costs }} name="costs" of="gap_open" choices={[...choices, { value: OTHER, label: "other…" }]} onPick={onPick} />;
}
