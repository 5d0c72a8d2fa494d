// The mark of hits whose two E-values disagree, by the server's rule, and what composition changes (docs/statistics.md).
import type { Hit } from "../api";
import { evalueText, percentText } from "../numbers";
import { Icon } from "../parts";

/** Both E-values, and what that they disagree is a sign of. */
function differText({ evalues }: Hit): string {
  return `The E-values differ: ${evalueText(evalues?.table)} by table, ${evalueText(evalues?.fitted)} by fit. Look for biased composition, or a query that is not a protein.`;
}

export function DifferMark({ hit }: { hit: Hit }) {
  if (!hit.evalues?.differ) return null;
  return <span class="differ" role="img" aria-label="E-values differ" title={differText(hit)}>≠</span>;
}

export function DifferNote({ hit }: { hit: Hit }) {
  if (!hit.evalues?.differ) return null;
  return <p class="differ-text"><Icon name="warning" />{differText(hit)}</p>;
}

/** What of the score counts, and the E-value without that; nothing where composition changes nothing. */
export function ScaleNote({ hit: { score, evalue, evalues, masked } }: { hit: Hit }) {
  const hidden = masked && masked.score !== score ? `Masked: of the score of ${score}, ${masked.score} is left. ` : "";
  if (!evalues || (evalues.scale ?? 1) === 1) return hidden ? <p class="dim">{hidden}</p> : null;
  return (
    <p class="dim">
      {hidden}Adjusted to composition: {percentText(100 * (evalues.scale ?? 1), 0)} % of {hidden ? "that" : "the score"} counts, E {evalueText(evalue)} instead of {evalueText(evalues.fitted)}.
    </p>
  );
}
