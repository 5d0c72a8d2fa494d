"""SSCA#1, the HPCS benchmark of sequence alignment: a generator, five kernels, and what verifies them."""
