// The page's navigation: a tab for each kind of work, then what belongs to all of them, and who is signed in.
import { at, boot } from "./api";
import { signOut } from "./door";
import { useDropdown } from "./menu";
import { ThemeButton } from "./theme";

interface Place {
  path: string;
  label: string;
  /** Where else one is at this place. */
  below?: string;
}

const WORK: Place[] = [
  { path: "/", label: "Search", below: "/searches/" },
  { path: "/align", label: "Align", below: "/alignments/" },
  { path: "/compare", label: "Compare", below: "/comparisons/" },
  { path: "/msas", label: "MSA", below: "/msas/" },
];
const OTHERS: Place[] = [{ path: "/history", label: "History" }, { path: "/help", label: "Help", below: "/help/" }, { path: "/docs", label: "API" }];

const here = location.pathname.slice(boot.root.length) || "/";
const isHere = ({ path, below }: Place): boolean => here === path || (below !== undefined && here.startsWith(below));

export function Nav() {
  const { open, setOpen, box } = useDropdown();
  return (
    <>
      <div class="site" ref={box}>
        <button type="button" class="site-button" aria-expanded={open} aria-controls="site-links" onClick={() => setOpen(!open)}>Menu</button>
        <div id="site-links" class={open ? "site-links open" : "site-links"}>
          <Places places={WORK} kind="site-work" />
          <Places places={OTHERS} kind="site-others" />
        </div>
      </div>
      <ThemeButton />
      {boot.user && (
        <div class="signed-in">
          <span class="ellipsis" title={`Signed in as ${boot.user}`}>Signed in as <strong>{boot.user}</strong></span>
          {boot.door && <button type="button" class="quiet" onClick={() => void signOut()}>Sign out</button>}
        </div>
      )}
    </>
  );
}

function Places({ places, kind }: { places: Place[]; kind: string }) {
  return (
    <ul class={kind}>
      {places.map((place) => <li key={place.path}><a href={at(place.path)} aria-current={isHere(place) ? "page" : undefined}>{place.label}</a></li>)}
    </ul>
  );
}
