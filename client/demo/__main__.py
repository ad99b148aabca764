"""`python -m client.demo`."""

from __future__ import annotations

import sys

from client.demo import main

sys.exit(main())
