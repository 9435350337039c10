"""Run the command line: ``python -m blokus_fast``."""

from __future__ import annotations

from blokus_fast.cli import main

if __name__ == "__main__":
    main()
