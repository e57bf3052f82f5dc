"""The whole shop on one machine: the deployed handlers between local stand-ins of what the cloud gives. Never deployed."""
