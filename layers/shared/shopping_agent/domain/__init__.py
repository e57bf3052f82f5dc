"""The shop itself: catalog, cart, money, query, conversation. Pure code, no I/O, no vendor type."""
