"""Speed of batches: the command behind benchmarks/batch."""
