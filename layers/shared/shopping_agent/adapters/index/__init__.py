"""The product index in Qdrant."""
