"""The check of a reply against what the turn observed, whichever model wrote it, before the shopper reads it."""

from shopping_agent.application.verification.verifier import Verdict, Verifier

__all__ = ["Verdict", "Verifier"]
