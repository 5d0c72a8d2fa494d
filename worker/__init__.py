"""Jobs, queues and processes: where searches are taken from Redis, run and stored."""

import os

# Read where numpy is loaded. A machine runs many of these processes, and what they multiply is small: threads of each
# for all cores would mostly wait, busily, and take the cores from one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
