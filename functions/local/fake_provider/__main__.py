"""A model to try the shop with, without a key: `python -m functions.local.fake_provider --port 9090`."""

import argparse
import signal
import threading

from functions.local.fake_provider.faults import FAULTS
from functions.local.fake_provider.server import fake_provider


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m functions.local.fake_provider",
        description="A model provider on this machine that speaks OpenAI, Groq, xAI and Gemini.",
        epilog="Faults, as segments of the base URL before /v1 (NAME, NAMExTIMES, NAME@CALL, NAME~MS): "
        + " ".join(sorted(FAULTS))
        + ", http429raSECONDS",
    )
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--delay-ms", type=float, default=0.0, help="before each answer")
    options = parser.parse_args()
    with fake_provider(port=options.port, delay=options.delay_ms / 1000) as fake:
        print(f"OPENAI_BASE_URL={fake.base_url('openai')}")
        print(f"GROQ_BASE_URL={fake.base_url('groq')}")
        print(f"XAI_BASE_URL={fake.base_url('xai')}")
        print(f"GEMINI_BASE_URL={fake.base_url('gemini')}", flush=True)
        ended = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: ended.set())
        ended.wait()


if __name__ == "__main__":
    main()
