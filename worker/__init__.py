"""Jobs, queues and processes: where searches are taken from Redis, run and stored."""
