"""What an engine must do, and the engine of machines without a GPU."""
