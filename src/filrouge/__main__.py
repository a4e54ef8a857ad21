"""`python -m filrouge` is the command `filrouge`."""

import sys

from filrouge.cli.start import start

sys.exit(start())
