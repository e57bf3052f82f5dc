"""The ingest function."""
