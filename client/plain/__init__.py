"""The client without a screen. `run` is one run of it; `teller` makes lines of what
happens, `orders` and `obeying` make wishes of typed lines. docs/plain.md lists both."""
