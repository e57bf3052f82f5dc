"""The chat function."""
