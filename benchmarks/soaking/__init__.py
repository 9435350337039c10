"""Random games against the slow reference for as long as one likes: behind benchmarks/soak."""
