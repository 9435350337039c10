"""Matches over GTP: see command.py, and benchmarks/pentobi, which runs them."""
