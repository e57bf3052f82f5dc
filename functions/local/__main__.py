"""`make run`, that is `python -m functions.local`: the local stack until it is told to stop."""

import signal
import sys

if __name__ == "__main__":
    # Until the stack has handlers of its own nothing has to be stopped: a Ctrl-C ends this process without a trace.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from functions.local.run import main

    sys.exit(main())
