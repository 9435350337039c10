"""What every test needs before it runs."""

import os

# Tests that start Python must get the installed package, also where the current folder is the
# checkout, whose sources have no compiled core beside them.
os.environ.setdefault("PYTHONSAFEPATH", "1")
