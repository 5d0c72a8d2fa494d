"""How much of a device's memory a shard takes, counted before anything is loaded: also where no device is."""

from dataclasses import dataclass, replace

from gpu.layout import GROUPS, ROW_BYTES

PART_RESIDUES = 1 << 29
"""At most so many residues to a part: a launch over it ends within 50 ms on a device of 2 TCUPS."""
BORDER_ROW_BYTES = 8 * GROUPS
"""Scratch of sw_score for a row of packs, in each workspace."""
WORKSPACES = 2
"""Of a search: one query's launches fill the device while those of another end."""
PREEMPTING = 2
"""Searches that may be made while another waits, or two do: a workspace for each."""
SLACK = 1.06
"""Packed bytes for each residue: the rows of padding, and subjects that end before their pack does."""
SCORE_BYTES = 4
SUBJECT_BYTES = 16
"""Slots, lengths and packs, for each subject."""
RESERVED_BYTES = 2 << 30
"""Left for CUDA's context, kernels, sorting and alignments."""
SPARE_BYTES = RESERVED_BYTES // 4
"""Of these, what chosen subjects of a shard may take that leaves nothing free else."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a shard takes on the device, in bytes: its packed subjects, and the scratch of a search."""

    packed: int
    scratch: int

    @property
    def total(self) -> int:
        """Both."""
        return self.packed + self.scratch

    @classmethod
    def of_shard(cls, residues: int, subjects: int) -> "Memory":
        """The memory for a shard that is to stay on the device, where each search keeps the scores of all subjects."""
        memory = cls.of(residues, subjects, min(PART_RESIDUES, max(1, residues)))
        return replace(memory, scratch=memory.scratch + SCORE_BYTES * (1 + PREEMPTING) * subjects)

    @classmethod
    def of(cls, residues: int, subjects: int, part_residues: int) -> "Memory":
        """The memory for so many residues and subjects, in parts of so many residues."""
        packed = int(residues * SLACK) + SUBJECT_BYTES * subjects
        # Borders, and a few words for each subject of a part; loading takes less.
        part_subjects = -(-subjects * part_residues // max(1, residues))
        workspaces = WORKSPACES + PREEMPTING
        scratch = workspaces * (part_residues * BORDER_ROW_BYTES // ROW_BYTES + 64 * part_subjects)
        return cls(packed, scratch + RESERVED_BYTES)
