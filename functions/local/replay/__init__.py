"""`shopping-agent replay TURN_ID`: a recorded turn once more, through the real loop, with the model's replies as recorded."""

from functions.local.replay.command import add_arguments, prepared, run

__all__ = ["add_arguments", "prepared", "run"]
