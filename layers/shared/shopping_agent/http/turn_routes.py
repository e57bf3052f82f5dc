"""What a running turn is doing, for the shopper whose turn it is: short polls while the answer is awaited."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from shopping_agent.domain.operation import turn_name
from shopping_agent.http.bodies import read_parameters
from shopping_agent.http.models import StepsParameters
from shopping_agent.http.resolver import ShopResolver
from shopping_agent.http.response import Response, json_reply

if TYPE_CHECKING:
    from shopping_agent.domain.progress import TurnStep
    from shopping_agent.domain.store import StorePack
    from shopping_agent.ports import TurnSteps


class TurnRoutes:
    """The services are asked for when a request needs them."""

    def __init__(
        self,
        app: ShopResolver,
        *,
        steps: "Callable[[], TurnSteps]",
        pack: "Callable[[], StorePack]",
    ) -> None:
        self._app = app
        self._steps = steps
        self._pack = pack
        route = app.get("/api/v1/ai/turns/<turn_id>/steps", access="bearer", counts_itself=True)
        route(self.read)

    def read(self, turn_id: str) -> Response:
        visit = self._app.visit
        wanted = read_parameters(self._app.current_event, StepsParameters)
        found = self._steps().read(
            visit.who.shopper,
            turn_name(turn_id),
            wanted.after,
            visit.deadline,
            # A turn may be asked about many times: that uses up nothing of what its shopper may ask.
            charges=[charge for charge in visit.charges if charge.name != "session"],
        )
        steps = [self._view(step) for step in found.steps]
        return json_reply({"steps": steps, "done": found.done})

    def _view(self, step: "TurnStep") -> dict[str, object]:
        label = self._pack().phrases.say(step.language, f"step.{step.kind}")
        return {"seq": step.number, "kind": step.kind, "label": label, "ms": step.milliseconds}
