"""What the assistant is worth, measured on its real handlers: `make eval`. A development tool, never deployed."""
