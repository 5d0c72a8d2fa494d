"""How residues score, and what gaps cost."""
