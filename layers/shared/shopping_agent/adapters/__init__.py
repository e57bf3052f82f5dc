"""One module per vendor: translate types and errors, decide nothing."""
