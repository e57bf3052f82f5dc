"""Looks for secrets in every file that git knows, beside those of `.secrets.json`, each of which is none.

    python scripts/secret_scan.py            ends with 1 and names file and line of each that is new
    python scripts/secret_scan.py --update   accepts what there is: read the difference before it is committed

`.secrets.json` holds a digest of each, by file: nothing of the secret, and no line numbers, so that edits do not alter it.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from detect_secrets.core.scan import scan_file
from detect_secrets.settings import transient_settings

ROOT = Path(__file__).resolve().parents[1]
KNOWN = ".secrets.json"
DETECTORS = (
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "Base64HighEntropyString",
    "BasicAuthDetector",
    "GitHubTokenDetector",
    "JwtTokenDetector",
    "NpmDetector",
    "PrivateKeyDetector",
    "SendGridDetector",
    "SlackDetector",
    "StripeDetector",
    "TwilioKeyDetector",
)
"""Not those that take every variable named `token` or every digest for a secret: nobody reads a list of hundreds."""
UNREAD = (".png", ".lock", ".woff2", "intent_weights.json", KNOWN)
"""Pictures, the hashes of packages, weights."""

Found = dict[str, dict[str, int]]
"""By file: digest (with its kind) -> line."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Looks for secrets in the files that git knows.")
    parser.add_argument("--update", action="store_true", help=f"write what is found into {KNOWN}")
    parser.add_argument("--root", type=Path, default=ROOT)
    options = parser.parse_args(arguments)
    root: Path = options.root
    names = tracked(root)
    if names is None:
        print("secrets: not looked for, git does not list the files here", file=sys.stderr)
        return 2 if (root / ".git").exists() else 0
    found = scan(root, names)
    if options.update:
        kept = {name: sorted(digests) for name, digests in sorted(found.items())}
        (root / KNOWN).write_text(json.dumps(kept, indent=1) + "\n")
        return 0
    fresh = unknown(found, root / KNOWN)
    for place in fresh:
        print(f"{place}: this looks like a secret", file=sys.stderr)
    if fresh:
        print(
            "a real one: take it out, and change it where it is used, for git keeps it. None: "
            "python scripts/secret_scan.py --update",
            file=sys.stderr,
        )
    return 1 if fresh else 0


def tracked(root: Path) -> list[str] | None:
    """What git knows and what is about to be added; None outside a working tree."""
    listing = subprocess.run(
        # Whoever the tree belongs to: it is only read.
        [
            "git",
            "-c",
            "safe.directory=*",
            "-C",
            str(root),
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ],
        capture_output=True,
        check=False,
    )
    if listing.returncode:
        return None
    return sorted(name for name in os.fsdecode(listing.stdout).split("\0") if name)


def scan(root: Path, names: list[str]) -> Found:
    plugins = [{"name": name} for name in DETECTORS]
    own = Path(__file__).with_name("secret_keys.py").as_uri()
    plugins.append({"name": "ProviderKeyDetector", "path": own})
    found: Found = defaultdict(dict)
    with transient_settings({"plugins_used": plugins, "filters_used": []}):
        for name in names:
            file = root / name
            if name.endswith(UNREAD) or file.is_symlink() or not file.is_file():
                continue
            for secret in scan_file(str(file)):
                found[name][f"{secret.type} {secret.secret_hash}"] = secret.line_number
    return found


def unknown(found: Found, known: Path) -> list[str]:
    """`file:line: kind` of what the list of known ones does not hold."""
    kept: dict[str, list[str]] = json.loads(known.read_text()) if known.is_file() else {}
    return [
        f"{name}:{line}: {digest.rpartition(' ')[0]}"
        for name, digests in found.items()
        for digest, line in digests.items()
        if digest not in kept.get(name, ())
    ]


if __name__ == "__main__":
    sys.exit(main())
