"""The speed gate: see command.py, and benchmarks/gate, which runs it."""
