"""Known vulnerabilities of what `uv.lock` names, by `uv audit`, which asks osv.dev.

    python scripts/audit.py UV [--service URL]                ends with 1 when there are any, with 2 when nobody could be asked
    python scripts/audit.py UV --where-reachable              says so and ends with 0 when nobody could be asked

A vulnerability that does not concern us is named in `IGNORED` with the reason.
"""

import argparse
import os
import subprocess
import sys

IGNORED: dict[str, str] = {}
"""Id -> why it does not concern us."""
SECONDS = 120
NOT_ASKED = 2


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Known vulnerabilities of what uv.lock names.")
    parser.add_argument("uv")
    parser.add_argument("--service", help="another service of OSV's API")
    parser.add_argument("--where-reachable", action="store_true")
    options = parser.parse_args(arguments)
    command = [options.uv, "audit", "--frozen", "--preview-features", "audit-command"]
    if options.service:
        command += ["--service-url", options.service]
    command += [part for name in IGNORED for part in ("--ignore", name)]
    try:
        asked = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env={"UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": "15", **os.environ},
        )
        status, said = asked.returncode, asked.stdout + asked.stderr
    except subprocess.TimeoutExpired:
        status, said = NOT_ASKED, f"no answer after {SECONDS} s"
    if status in (0, 1):
        print(said.strip())
        return status
    reason = next((line for line in said.splitlines() if line.startswith("error")), said.strip())
    print(
        f"dependencies: NOT audited for known vulnerabilities, osv.dev does not answer from here ({reason[:200]}); "
        "run `make audit` where it does",
        file=sys.stderr,
    )
    return 0 if options.where_reachable else NOT_ASKED


if __name__ == "__main__":
    sys.exit(main())
