"""The rule-based planner that stands in for a language model: no account, no key, the same tools and the same loop."""

from shopping_agent.adapters.llm.offline.model import OfflineModel

__all__ = ["OfflineModel"]
