// Print what is shown, and all of it.
import { Icon } from "./parts";

interface Props {
  label?: string;
  /** What is still being done for it. */
  doing?: string;
  onPrint?(): void;
}

export function PrintButton({ label = "Print", doing, onPrint = () => print() }: Props) {
  return (
    // Disabled it would lose the focus.
    <button type="button" class="quiet" aria-disabled={doing !== undefined} onClick={() => doing === undefined && onPrint()}>
      <Icon name="print" />
      <span aria-live="polite">{doing ?? label}</span>
    </button>
  );
}
