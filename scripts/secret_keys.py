"""Detectors of the secret scan for the keys of our own providers, which detect-secrets does not know."""

import re

from detect_secrets.plugins.base import RegexBasedDetector


class ProviderKeyDetector(RegexBasedDetector):
    """Keys of Google, Groq, xAI and OpenAI by their looks, and others, such as Upstash's and Qdrant's, by their names."""

    secret_type = "Key"
    denylist = (
        re.compile(r"AIza[0-9A-Za-z_-]{35}"),
        re.compile(r"gsk_[0-9A-Za-z]{40,}"),
        re.compile(r"xai-[0-9A-Za-z]{40,}"),
        re.compile(r"sk-(?:proj-|svcacct-|admin-)?[0-9A-Za-z_-]{32,}"),
        re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
        # A setting of ours, or anybody's, with a long value.
        re.compile(
            r"[A-Z]_(?:API_KEY|TOKEN|SECRET)[\"']?\s*[=:]\s*[\"']?([0-9A-Za-z+/_.-]{24,}={0,2})"
        ),
    )
