"""The shopping agent shared by the three Lambda functions."""

import gc

__version__ = "0.1.0"

# Nearly all that a start and a turn make is freed by reference counts: looking for cycles after every 2,000 objects
# costs a cold start 15 ms and finds nothing.
gc.set_threshold(50_000)
