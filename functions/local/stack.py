"""The whole shop on this machine: stand-ins, execution environments, gateway, and the store's files in the bucket."""

import json
import os
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from shopping_agent.adapters.catalog.store_pack import load_store_pack
from shopping_agent.adapters.rules import load_expert
from shopping_agent.application.sessions import GuestSessions
from shopping_agent.bootstrap import check_models
from shopping_agent.errors import ConfigurationError
from shopping_agent.settings import Settings

from functions.local.backends import Backends, machine_variables, python_module
from functions.local.children import ROOT, ChildSpec, Supervisor, accepts_connections, free_port
from functions.local.data_folder import DataFolder, StackError
from functions.local.event_source import EventSource
from functions.local.http_event import BadAnswerError, HttpRequest, event_of, response_of
from functions.local.lambda_service import FunctionSpec, LambdaService
from functions.local.reports import CatalogBucket
from functions.local.seeding import Seeding, store_files
from functions.local.variables import (
    StandIns,
    container_variables,
    destination_of,
    function_variables,
    settings_of,
    variables_of,
)

GATEWAY_TIER = 3
START_SECONDS = 60.0
EVENT_SOURCE_SECONDS = 1.5
FUNCTIONS = (
    FunctionSpec(name="chat", folder=ROOT / "functions/chat", timeout=29, environments=2),
    FunctionSpec(name="store", folder=ROOT / "functions/store", timeout=15, environments=2),
    FunctionSpec(name="ingest", folder=ROOT / "functions/ingest", timeout=300, memory=1769),
)
FLAGSHIP = "Something fresh for summer, under 800 MAD, and add the best one to my cart."


@dataclass(frozen=True, kw_only=True)
class StackOptions:
    """What `make run` was asked for. `catalog` holds `catalog.*`, `guides/*.md` and maybe `pack/`."""

    port: int
    data: Path
    catalog: Path
    environment: Mapping[str, str]


def say(line: str) -> None:
    """Progress for the person at the terminal; nobody listening is no error."""
    try:
        print(line, flush=True)
    except OSError:
        return


class Stack:
    """Starts everything with `start` and ends it with `stop`."""

    def __init__(self, options: StackOptions) -> None:
        self._options = options
        self.data = DataFolder(options.data)
        self._supervisor = Supervisor(logs=self.data.logs, report=say)
        self._functions: LambdaService | None = None
        self._events: EventSource | None = None
        self._facts: dict[str, Any] = {}
        self._endpoints: dict[str, str] = {}
        self.url = ""

    def start(self) -> None:
        """Bring everything up and the store's files in; returns when requests are served.

        Raises:
            StackError: it cannot start, with what to do about it.
            ChildFailedError: a part does not come up.
        """
        began = time.monotonic()
        environment = checked_environment(self._options.environment, store_pack=self._store_pack())
        self._options = replace(self._options, environment=environment)
        store_files(self._options.catalog)
        self.data.lock()
        port = _gateway_port(self._options.port)
        say(f"shopping agent: data in {self.data.root}, store in {self._options.catalog}")
        own = settings_of(environment)
        bucket = own.get("CATALOG_BUCKET") or Settings().catalog_bucket
        backends = Backends(data=self.data, needed=StandIns.needed(own), bucket=bucket)
        variables = self._variables(backends, port)
        children = [self._supervisor.add(spec) for spec in backends.specs]
        functions = self._functions = LambdaService(supervisor=self._supervisor)
        for function in FUNCTIONS:
            children += functions.add(function, variables_of(function.name, variables))
        children.append(self._supervisor.add(_gateway(port, functions.port, environment)))
        self.url = f"http://127.0.0.1:{port}"
        self._endpoints |= backends.endpoints | {"lambda": f"http://127.0.0.1:{functions.port}"}
        self._facts = {
            "pid": os.getpid(),
            "url": self.url,
            "bucket": bucket,
            "endpoints": self._endpoints,
        }
        self._supervisor.changed = self._write_facts
        self._supervisor.wait_ready(children, START_SECONDS)
        self._seed(functions)
        self._facts["ready"] = True
        self._write_facts()
        _tell_health(functions)
        own = bool(self._options.environment.get("OPERATOR_TOKEN"))
        token = "your OPERATOR_TOKEN" if own else f"the token in {self.data.token_file}"
        _ready(self.url, port, time.monotonic() - began, token)

    def stop(self) -> None:
        """End every process; what it kept stays in DATA."""
        if self._events:
            # A batch at work may take minutes; its environment is ended below and the message comes again.
            ending = threading.Thread(target=self._events.stop, daemon=True)
            ending.start()
            ending.join(EVENT_SOURCE_SECONDS)
        self._supervisor.stop()
        if self._functions:
            self._functions.close()
        self.data.release()

    def _variables(self, backends: Backends, port: int) -> dict[str, str]:
        variables = function_variables(
            self._options.environment,
            endpoints=backends.endpoints,
            session_secret=self.data.session_secret(),
            checkout_secret=self.data.checkout_secret(),
            operator_token=self.data.operator_token(),
            checkout_page=f"http://127.0.0.1:{port}/checkout.html",
            store_pack=self._store_pack(),
        )
        self.data.write_variables(container_variables(variables))
        return variables

    def _store_pack(self) -> str:
        pack = self._options.catalog / "pack"
        return str(pack.resolve()) if pack.is_dir() else ""

    def _write_facts(self) -> None:
        children = {
            child.spec.name: {"pid": child.pid, "port": child.spec.port}
            for child in self._supervisor.children
        }
        self.data.write_stack({**self._facts, "children": children})

    def _seed(self, functions: LambdaService) -> None:
        if "aws" not in self._endpoints:
            say("  AWS_ENDPOINT_URL is yours: the store's files are not brought in")
            return
        self._events = EventSource(endpoint_url=self._endpoints["aws"], invoke=functions.invoke)
        self._events.start()
        bucket = CatalogBucket.local(self._facts)
        Seeding(data=self.data, bucket=bucket, report=say).run(
            self._options.catalog, destination_of(settings_of(self._options.environment))
        )


def checked_environment(environment: Mapping[str, str], *, store_pack: str) -> Mapping[str, str]:
    """The environment, with the pack's currency where it names none.

    Raises:
        StackError: something in it would make every request fail later.
    """
    try:
        settings = Settings.from_mapping(environment)
        if secret := settings.session_secret.get_secret_value():
            GuestSessions(secret=secret)
        if not settings.secrets_id:
            check_models(settings)
        location = settings.store_pack or store_pack
        if location.startswith("s3://"):
            return environment
        pack = load_store_pack(location)
        load_expert(location, pack.vocabulary)
        currency = pack.currency
    except ConfigurationError as error:
        raise StackError(str(error)) from error
    if environment.get("STORE_CURRENCY") or currency == settings.store_currency:
        return environment
    return {**environment, "STORE_CURRENCY": currency}


def _gateway_port(wanted: int) -> int:
    if wanted == 0:
        return free_port()
    with socket.socket() as probe:
        # As the server itself does: a connection of a former run that is still fading is no hindrance.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as error:
            raise StackError(
                f"port {wanted} is in use; choose another: make run PORT={wanted + 1}"
            ) from error
    return wanted


def _gateway(port: int, invoke_port: int, environment: Mapping[str, str]) -> ChildSpec:
    origins = environment.get("CORS_ORIGINS") or Settings().cors_origins
    command = python_module("gateway", "--port", port, "--invoke-port", invoke_port)
    return ChildSpec(
        name="gateway",
        command=[*command, "--cors", origins],
        environment=machine_variables(),
        ready=partial(accepts_connections, port),
        port=port,
        tier=GATEWAY_TIER,
    )


def _tell_health(functions: LambdaService) -> None:
    """Warms the store's environments up and names what does not work, such as a part of the caller's own."""
    request = HttpRequest(method="GET", path="/api/v1/health")
    outcome = functions.invoke("store", event_of(request, route="$default"))
    try:
        health = json.loads(response_of(json.loads(outcome.payload)).body)
        broken = [name for name, part in health["dependencies"].items() if not part["ready"]]
    except (BadAnswerError, ValueError, KeyError, TypeError):
        broken = ["the store function"]
    if broken:
        say(f"  not working: {', '.join(broken)}; see the logs and your settings")


def _ready(url: str, port: int, seconds: float, token: str) -> None:
    body = json.dumps({"message": FLAGSHIP}, separators=(",", ":"))
    say("")
    say(f"READY  {url}  after {seconds:.1f} s; Ctrl-C stops everything. Try:")
    say(
        f"  curl -s localhost:{port}/api/v1/ai/cart -H 'content-type: application/json' -d '{body}'"
    )
    say(f"  {url}/ops shows operators how the shop is doing; it asks for {token}")
