"""The shopping agent shared by the three Lambda functions."""
