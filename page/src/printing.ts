// While the page is printed: all rows, light colours, drawn before the browser takes its picture.
import { options } from "preact";
import { useEffect, useState } from "preact/hooks";

const followers = new Set<() => void>();
let printing = false;

function turn(on: boolean): void {
  printing = on;
  // The browser waits for nothing but this very event: what follows it is drawn at once, and together.
  const usual = options.debounceRendering;
  let draw = (): void => undefined;
  options.debounceRendering = (later) => { draw = later; };
  for (const follower of followers) follower();
  draw();
  options.debounceRendering = usual;
}

addEventListener("beforeprint", () => turn(true));
addEventListener("afterprint", () => turn(false));

export const isPrinting = (): boolean => printing;

/** Pixels between the margins of A4, as print.css has them; paper of other kinds is wider. */
const PAPER = 688;

/** The width to draw in: what there is, on paper no more than a share of its own. */
export const usePaperWidth = (width: number, share = 1): number => (usePrinting() ? Math.min(width, PAPER * share) : width);

/** Whether the page is being printed. */
export function usePrinting(): boolean {
  const [on, setOn] = useState(printing);
  useEffect(() => {
    const look = () => setOn(printing);
    followers.add(look);
    return () => void followers.delete(look);
  }, []);
  return on;
}
