"""State in Redis, over the Upstash REST protocol."""
