"""Catalog files: readers and the bucket."""
