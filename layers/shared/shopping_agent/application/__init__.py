"""Use cases: the turn, search and ingestion, written against the ports."""
