// Light, dark, or as the system has it; a cookie, so that the server's first bytes are right already.
import { useEffect, useState } from "preact/hooks";
import { boot } from "./api";
import { Icon } from "./parts";
import { usePrinting } from "./printing";

const YEAR_S = 365 * 24 * 3600;
const system = matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : system.matches;
}

/** Whether the page is dark now, followed as it changes; paper never is. */
export function useDark(): boolean {
  const printing = usePrinting();
  const [dark, setDark] = useState(isDark());
  useEffect(() => {
    const look = () => setDark(isDark());
    const observer = new MutationObserver(look);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", look);
    return () => {
      observer.disconnect();
      system.removeEventListener("change", look);
    };
  }, []);
  return dark && !printing;
}

export function ThemeButton() {
  const dark = useDark();
  const toggle = () => {
    const theme = dark ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    document.cookie = `shardwater_theme=${theme}; path=${boot.root || "/"}; max-age=${YEAR_S}; samesite=lax`;
  };
  return (
    <button type="button" class="quiet square" aria-label={dark ? "Light colours" : "Dark colours"} onClick={toggle}>
      <Icon name={dark ? "sun" : "moon"} />
    </button>
  );
}
