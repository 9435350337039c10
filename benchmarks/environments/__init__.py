"""Moves per second through the learning environments, beside those of blokus-rl in one run."""
