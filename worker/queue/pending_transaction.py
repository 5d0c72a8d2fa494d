"""A transaction that is sent and not waited for: Redis carries it out whatever becomes of us."""

from redis.client import Pipeline
from redis.exceptions import ResponseError


class UnderWay:
    """A transaction whose answers are yet to be read."""

    def __init__(self, pipe: Pipeline) -> None:
        """Send what a pipeline holds, over a connection of its own."""
        commands = [("MULTI",), *(arguments for arguments, _ in pipe.command_stack), ("EXEC",)]
        self._unread, self._pool = len(commands), pipe.connection_pool
        self._connection = self._pool.get_connection()
        try:
            packed = self._connection.pack_commands(commands)  # type: ignore[no-untyped-call]
            self._connection.send_packed_command(packed)  # type: ignore[no-untyped-call]
        except BaseException:
            self._give_back()
            raise

    def end(self) -> None:
        """Wait until it is done; raises RedisError where any of it was refused, or that cannot be known."""
        errors: list[ResponseError] = []
        try:
            while self._unread:
                self._unread -= 1
                try:
                    answer = self._connection.read_response()
                except ResponseError as error:
                    answer = error
                answers = answer if isinstance(answer, list) else [answer]
                errors += [each for each in answers if isinstance(each, ResponseError)]
        except BaseException:
            self._unread = 1
            raise
        finally:
            self._give_back()
        if errors:
            raise errors[0]

    def _give_back(self) -> None:
        if self._unread:
            # What is still to come on it is nobody's.
            self._connection.disconnect()  # type: ignore[no-untyped-call]
        self._pool.release(self._connection)
