"""Jobs in Redis: accepted, kept, followed, listed, estimated, removed. The front end's way to all of that."""
