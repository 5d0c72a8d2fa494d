"""What `shardwater doctor` looks at."""
