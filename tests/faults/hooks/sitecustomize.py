"""Makes workers die of a query that is called `poison`; Python imports this first where the folder is in PYTHONPATH."""

import os
import signal
import sys

if "work" in sys.orig_argv:
    from shardwater.engines.cpu import CpuEngine

    def _deadly(method):
        def call(self, queries, *arguments):
            if any(query.header.startswith("poison") for query in queries):
                os.kill(os.getpid(), signal.SIGKILL)
            return method(self, queries, *arguments)

        return call

    CpuEngine.search = _deadly(CpuEngine.search)
    CpuEngine.survey = _deadly(CpuEngine.survey)
