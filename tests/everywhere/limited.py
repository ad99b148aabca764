"""Runs a command as somebody who may write only where the mode of a folder allows it.

    python limited.py COMMAND ...

Who is root may write anywhere; root without the capabilities that say so may not. Whoever
else runs the tests is such a user already.
"""

from __future__ import annotations

import ctypes
import os
import sys

LIMITED = (sys.executable, __file__)
_DROP = 24
"""PR_CAPBSET_DROP: an execution gives root these no more."""
_OVER_MODES = (1, 2, 3)
"""CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER."""


def main(command: list[str]) -> None:
    if os.geteuid() == 0:
        system = ctypes.CDLL(None, use_errno=True)
        for capability in _OVER_MODES:
            if system.prctl(_DROP, capability, 0, 0, 0) != 0:
                sys.exit("the system lets nobody give up what root may")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
