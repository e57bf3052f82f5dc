# make run       the whole shop on this machine: http://localhost:8000
# make test      all tests           make check    what CI checks besides
# make audit     known vulnerabilities of what the lock file names (asks osv.dev)
# make invoke EVENT=events/x.json    one event through the running stack (HEADERS=1 prints the answer's headers too)
# make fuzz      Schemathesis against the running shop (some minutes; EXAMPLES=200 a route)
# make bench     the chat function beside other agent loops (some minutes; needs the kit in ../shared/bench)
# make coldstart  what starting each built function costs, by provider, beside httpx and other agent loops (a minute or two)
# make load      closed-loop load on a stack of its own: throughput, latency, memory (minutes; TURNS=300 CLIENTS=4 SECONDS=1200 JSON=file)
# make faults    every fault of a model's provider at every call of a turn, as a table (about two minutes)
# make live      a few turns with the real models whose keys are in the environment
# make eval      conversations, understanding and truth, measured (ONLY=scenarios,truth; PROVIDER=groq with its key)
# make ingest-bench    reading, memory and repeated uploads of a generated catalog of 50,000 rows (ROWS=5000)
# make eval-search  what search finds beside BM25 and dense vectors alone, and how long it takes (minutes; ONLY=perfumes)
# make speed     CPU of understanding a message, and of importing it, beside httpx (seconds)
# make widget    the script that shops embed, from its modules in functions/store/widget
# make page-budget     bytes, requests and time to interactive of the shop's page and of the bare widget
# make screenshots     the pictures in docs, from the running shop
# make build     what is deployed    make clean    forget data and builds
#
# Needs python3 (3.11 to 3.13) with pip; everything else comes from the lock file into this folder.
# run reads PORT, DATA and CATALOG, and every setting of the README, as arguments of make or as variables.

SHELL := /bin/sh
PYTHON ?= python3
PORT ?= 8000
DATA ?= .local
CATALOG ?= demo
PYTEST_ARGS ?= -n auto --maxprocesses 4 --dist loadfile

UV_VERSION := 0.13.9
ifeq ($(origin UV),undefined)
UV := $(CURDIR)/.tools/bin/uv
UV_READY := .tools/uv-$(UV_VERSION)
endif
# Where the machine says whom it trusts, as pip does: a proxy's certificate among them.
ifneq ($(wildcard /etc/ssl/certs/ca-certificates.crt),)
export UV_SYSTEM_CERTS ?= true
endif

BIN := .venv/bin
LOCAL_READY := .venv/ready-local
DEV_READY := .venv/ready-dev
SYNC = "$(UV)" sync --quiet --frozen --no-default-groups --no-python-downloads --python $(PYTHON)

.DEFAULT_GOAL := help
.PHONY: help install run test check widget format invoke clean bench ingest-bench eval eval-search speed browser faults coldstart load fuzz live screenshots page-budget audit
.DELETE_ON_ERROR:

help:
	@sed -n '1,21s/^# \{0,1\}//p' Makefile

install: $(DEV_READY)

run: $(LOCAL_READY)
	@exec $(BIN)/python -m functions.local --port "$(PORT)" --data "$(DATA)" --catalog "$(CATALOG)" --with-parent

test: $(DEV_READY) browser
	@$(BIN)/pytest $(PYTEST_ARGS)

check: $(DEV_READY)
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python -m functions.local.openapi --check
	$(BIN)/python scripts/bundle_widget.py --check
	"$(UV)" lock --check --offline --quiet
	$(BIN)/python scripts/secret_scan.py
	$(BIN)/python scripts/audit.py "$(UV)" --where-reachable

# Known vulnerabilities of the locked dependencies; fails where osv.dev cannot be asked, which check only tells.
audit: $(DEV_READY)
	@$(BIN)/python scripts/audit.py "$(UV)"

widget: $(DEV_READY)
	$(BIN)/python scripts/bundle_widget.py

screenshots: $(DEV_READY) browser
	@$(BIN)/python scripts/screenshots.py

page-budget: $(DEV_READY) browser
	@$(BIN)/python scripts/page_budget.py

format: $(DEV_READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

invoke: $(LOCAL_READY)
	@test -n "$(EVENT)" || { echo "which event? make invoke EVENT=events/chat-flagship.json" >&2; exit 2; }
	@exec $(BIN)/python -m functions.local.invoke --data "$(DATA)" $(if $(HEADERS),--headers) "$(EVENT)"

clean:
	@test ! -e .local/lock || $(PYTHON) -c 'import fcntl; fcntl.flock(open(".local/lock"), fcntl.LOCK_SH | fcntl.LOCK_NB)' 2>/dev/null \
		|| { echo "a stack runs on .local; stop it first" >&2; exit 1; }
	rm -rf .local .aws-sam build .pytest_cache .ruff_cache .import_linter_cache

# Apart from .venv: it pins versions of our own dependencies.
FUZZ_VERSION := 4.32.5
FUZZ_READY := .tools/fuzz/version-$(FUZZ_VERSION)
EXAMPLES ?= 200

$(FUZZ_READY): | $(UV_READY)
	rm -rf .tools/fuzz
	"$(UV)" venv --quiet --no-python-downloads --python $(PYTHON) .tools/fuzz
	"$(UV)" pip install --quiet --python .tools/fuzz 'schemathesis==$(FUZZ_VERSION)'
	touch $@

fuzz: $(LOCAL_READY) $(FUZZ_READY)
	@$(BIN)/python scripts/fuzz.py .tools/fuzz/bin/schemathesis "$(EXAMPLES)"

eval: $(LOCAL_READY)
	@exec $(BIN)/python -m evaluation $(if $(PROVIDER),--provider "$(PROVIDER)") $(if $(ONLY),--only "$(ONLY)")

eval-search: $(LOCAL_READY)
	@exec $(BIN)/python -m evaluation.retrieval --only "$(ONLY)"

speed: $(LOCAL_READY)
	@$(BIN)/python -m evaluation.speed
	@$(BIN)/python -m evaluation.rules_speed

ingest-bench: $(LOCAL_READY)
	@PYTHONPATH=. $(BIN)/python scripts/ingest_bench.py $(if $(ROWS),"$(ROWS)" "$(ROWS)")

bench: $(LOCAL_READY)
	@exec $(BIN)/python -m tests.bench $(BENCH_ARGS)

# ONLY=offline or ONLY=delayed runs one of the two; JSON=file keeps all figures.
load: $(LOCAL_READY)
	@exec $(BIN)/python -m scripts.load $(if $(CLIENTS),--clients "$(CLIENTS)") $(if $(TURNS),--turns "$(TURNS)") \
		$(if $(SECONDS),--seconds "$(SECONDS)") $(if $(ONLY),--only "$(ONLY)") $(if $(JSON),--json "$(JSON)")

# ROUNDS=3 is quicker; PEERS=no leaves the other agent loops out.
coldstart: $(DEV_READY)
	@$(BIN)/python -m evaluation.coldstart $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(filter no,$(PEERS)),--no-peers)

# FAULTS="hang http429" prints these rows alone.
faults: $(DEV_READY)
	@$(BIN)/python scripts/fault_matrix.py $(FAULTS)

live: $(DEV_READY)
	@$(BIN)/pytest -q -rs tests/live $(PYTEST_ARGS)

browser:
	@scripts/install-browser

ifdef UV_READY
$(UV_READY):
	@echo "installing uv $(UV_VERSION) into .tools"
	@PIP_USER=0 PIP_ROOT_USER_ACTION=ignore $(PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade --target .tools "uv==$(UV_VERSION)"
	@touch $@
endif

# --inexact: what tests need stays when only the stack's own packages are asked for.
$(LOCAL_READY): pyproject.toml uv.lock | $(UV_READY)
	@echo "installing the local stack into .venv"
	@$(SYNC) --inexact --group local
	@touch $@

$(DEV_READY): pyproject.toml uv.lock | $(UV_READY)
	@echo "installing the development tools into .venv"
	@$(SYNC) --group dev
	@touch $(LOCAL_READY) $@

-include build.mk
ifdef SAM_HOME
$(SAM_HOME)/version-$(SAM_VERSION): | $(UV_READY)
endif
