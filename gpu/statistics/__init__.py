"""Random sequences on a CUDA device, for simulated statistics."""
