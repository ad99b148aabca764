"""`python -m client.replay`: the same as `ra-replay`."""

from __future__ import annotations

import sys

from client.replay import main

sys.exit(main())
