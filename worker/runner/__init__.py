"""One worker at its shard: what it has loaded, what it runs, how fast it is, and when it must end."""
