// The operator's links beside a hit or a row.
import { linksOf } from "../links";
import { Icon } from "../parts";

export function Links({ of }: { of: Parameters<typeof linksOf>[0] }) {
  return (
    <>
      {linksOf(of).map((link) => (
        <a key={link.label} class="button quiet" href={link.url} target="_blank" rel="noopener noreferrer">{link.label}<Icon name="external" /></a>
      ))}
    </>
  );
}
