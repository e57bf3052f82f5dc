"""Starts AWS's own runtime client as Lambda does, in the function's folder: `python -I -S runtime_runner.py PATH...`.

Isolated and without site-packages, so that nothing but that folder and the given ones can be imported.
"""

import os
import sys


def main() -> None:
    # Lambda's order: the function, /opt/python of the layers, then the runtime's own packages.
    sys.path[:0] = [os.getcwd(), *sys.argv[1:]]
    from awslambdaric.__main__ import main as serve

    serve(["awslambdaric", os.environ["_HANDLER"]])


if __name__ == "__main__":
    main()
