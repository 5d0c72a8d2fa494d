"""The front end: HTTP, JSON and the page; no engine and no device is ever loaded here."""

import os

# As in worker/__init__.py, before anything loads numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
