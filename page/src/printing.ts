// While the page is printed: all rows, light colours, drawn before the browser takes its picture.
import { options } from "preact";
import { useEffect, useState } from "preact/hooks";

const followers = new Set<() => void>();
let printing = false;

function turn(on: boolean): void {
  printing = on;
  // The browser waits for nothing but this very event.
  const usual = options.debounceRendering;
  options.debounceRendering = (draw) => draw();
  for (const follower of followers) follower();
  options.debounceRendering = usual;
}

addEventListener("beforeprint", () => turn(true));
addEventListener("afterprint", () => turn(false));

export const isPrinting = (): boolean => printing;

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
