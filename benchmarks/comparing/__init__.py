"""The comparison with other engines: see command.py, and benchmarks/compare, which runs it."""
