"""A model provider on this machine: the wire shapes of Gemini, Groq, xAI and OpenAI, answered by a small sensible model.

It is as strict as the real ones about what it is sent, and breaks in every way they do when asked: for tests, for
`make faults`, and to try the chat path over real HTTP without a key.

    with fake_provider() as fake:
        fake.on(2, Answer(429, {"error": {"message": "slow down"}}, headers={"retry-after": "20"}))
        ...  # GEMINI_BASE_URL=fake.url, GROQ_BASE_URL=fake.url, XAI_BASE_URL=f"{fake.url}/xai/v1"
        fake.requests[0].body
"""

from functions.local.fake_provider.provider import FakeProvider, Received
from functions.local.fake_provider.script import Answer, Call, Move
from functions.local.fake_provider.server import fake_provider

__all__ = ["Answer", "Call", "FakeProvider", "Move", "Received", "fake_provider"]
