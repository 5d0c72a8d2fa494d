"""Who asks, and with which key."""
