"""The tools that a model may propose: their arguments, their gates, and the dispatcher that runs them."""
