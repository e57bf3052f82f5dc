"""Understanding: from a message as typed to constraints, intent and route, without a model."""

from shopping_agent.domain.understanding.understand import understand

__all__ = ["understand"]
