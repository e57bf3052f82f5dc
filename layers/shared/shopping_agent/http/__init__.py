"""The HTTP edge that chat and store share: wire models, problems, identity, the resolver."""
