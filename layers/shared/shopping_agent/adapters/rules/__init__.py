"""The expert's data: profile keys, glossary and decision table of a store pack."""

from shopping_agent.adapters.rules.expert_files import ExpertFiles, load_expert

__all__ = ["ExpertFiles", "load_expert"]
