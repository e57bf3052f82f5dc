# Included by the Makefile: what is deployed, built and checked without docker.
#   make build [ARCH=arm64|x86_64]     layers and functions, bytecode included, into .aws-sam/build
#   make check-template                template.yaml against AWS's own schema

ARCH ?= arm64
UV ?= uv
PYTHON ?= python3
export ARCH UV

# SAM CLI pins older versions of our own dependencies, so it lives apart.
SAM_VERSION := 1.170.0
SAM_HOME := .tools/sam
SAM := $(SAM_HOME)/bin/sam
export SAM_CLI_TELEMETRY := 0

$(SAM_HOME)/version-$(SAM_VERSION):
	rm -rf $(SAM_HOME)
	"$(UV)" venv --quiet --no-python-downloads --python $(PYTHON) $(SAM_HOME)
	"$(UV)" pip install --quiet --python $(SAM_HOME) 'aws-sam-cli==$(SAM_VERSION)'
	touch $@

.PHONY: build check-template
build: $(SAM_HOME)/version-$(SAM_VERSION)
	rm -rf .aws-sam/build
	$(SAM) build --parameter-overrides Architecture=$(ARCH)

check-template: $(SAM_HOME)/version-$(SAM_VERSION)
	AWS_DEFAULT_REGION=eu-west-3 $(SAM) validate --lint
