"""The store function: sessions, cart, products, health, documents and the demo page."""
