// Where one can go from a hit or a row: to its sequence, and by the operator's links.
import { linksOf, sequenceAt } from "../links";
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

export function SequenceLink({ database, accession }: { database: string; accession: string }) {
  const address = sequenceAt(database, accession);
  return address ? <a class="button" href={address} download={`${accession.replace(/[^\w.-]+/g, "_")}.fasta`}>Sequence, FASTA</a> : null;
}
