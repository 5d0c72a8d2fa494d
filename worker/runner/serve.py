"""The loop of one worker: lease what is next, do it, look again; wait a moment for more, then sleep."""

import logging
from contextlib import suppress

from redis.exceptions import RedisError

from worker.queue.recovery import recover_queue
from worker.runner.batch import Batch
from worker.runner.context import WorkerContext
from worker.telemetry.safe_traceback import outline

LOOK_S = 0.5
"""How often a worker looks whether Redis is back."""

log = logging.getLogger(__name__)


def serve(context: WorkerContext) -> None:
    """Serve the queue until nothing has waited for a while, or the worker is told to stop."""
    while not context.stopping.is_set():
        try:
            context.queue.wake()
            if not _serve_once(context):
                return
        except RedisError as error:
            _await_redis(context, error)
        except Exception as error:
            # RQ would keep the error's message, and with it perhaps a query.
            log.error("%s: %s", context.queue.name, outline(error))
            context.queue.lapse()
            return


def _serve_once(context: WorkerContext) -> bool:
    """Do what is next, or wait for it; False where nothing comes and RQ may call again."""
    queue = context.queue
    # Time without work is none without progress.
    context.pace.moved()
    parts = queue.lease(context.pace.room)
    if parts:
        Batch(context, parts).run()
        return True
    return queue.await_part(context.linger_s) or not queue.may_sleep()


def _await_redis(context: WorkerContext, error: RedisError) -> None:
    """Redis is away, or refuses something: wait until it answers, and leave what was at work to the next try."""
    log.warning("%s: the queue does not answer: %s", context.queue.name, outline(error))
    while not context.stopping.wait(LOOK_S):
        # What refuses one job again and again, as a full server does, must end it some time.
        with suppress(RedisError):
            context.queue.lapse()
            recover_queue(context.store, context.queue.name)
            return
