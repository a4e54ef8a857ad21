"""`python -m filrouge` is the command `filrouge`."""

import sys

from filrouge.cli.main import main

sys.exit(main())
