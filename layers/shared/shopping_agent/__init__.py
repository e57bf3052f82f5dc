"""The shopping agent shared by the three Lambda functions."""

__version__ = "0.1.0"
