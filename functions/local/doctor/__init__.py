"""`shopping-agent doctor`: checks a deployment, or the local stack, from outside, and says what to mend."""

from functions.local.doctor.command import add_arguments, run

__all__ = ["add_arguments", "run"]
