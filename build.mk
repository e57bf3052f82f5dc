# Included by the Makefile: what is deployed, built and checked without docker.
#   make build [ARCH=arm64|x86_64]     layers and functions, bytecode included, into .aws-sam/build
#   make check-template                template.yaml by sam, cfn-lint and checkov
#   make deploy STAGE=prod [PARAMETERS="LlmProvider=groq ..."]   what was built; RESTART=1 has all functions start anew
#   make prune-versions STACK=name     published versions that no alias serves (PLAN=1 lists them)

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

# So do the linters: checkov pins an old boto3.
CFN_LINT_VERSION := 1.58.0
CHECKOV_VERSION := 3.3.30
LINT_HOME := .tools/lint
LINT_READY := $(LINT_HOME)/version-$(CFN_LINT_VERSION)-$(CHECKOV_VERSION)

$(LINT_READY):
	rm -rf $(LINT_HOME)
	"$(UV)" venv --quiet --no-python-downloads --python $(PYTHON) $(LINT_HOME)
	"$(UV)" pip install --quiet --python $(LINT_HOME) 'cfn-lint==$(CFN_LINT_VERSION)' 'checkov==$(CHECKOV_VERSION)'
	touch $@

.PHONY: build check-template deploy prune-versions
build: $(SAM_HOME)/version-$(SAM_VERSION)
	rm -rf .aws-sam/build
	$(SAM) build --parameter-overrides Architecture=$(ARCH)
	@echo $(ARCH) > .aws-sam/build/architecture
	@$(SAM_HOME)/bin/python scripts/builds.py

check-template: $(SAM_HOME)/version-$(SAM_VERSION) $(LINT_READY)
	@$(LINT_HOME)/bin/python scripts/check_template.py $(SAM_HOME)/bin $(LINT_HOME)/bin

deploy: $(SAM_HOME)/version-$(SAM_VERSION)
	@SAM_HOME=$(SAM_HOME) $(SAM_HOME)/bin/python scripts/deploy.py $(if $(PLAN),--plan) $(if $(RESTART),--restart) "$(STAGE)" $(PARAMETERS)

prune-versions: $(SAM_HOME)/version-$(SAM_VERSION)
	@$(SAM_HOME)/bin/python scripts/prune_versions.py $(if $(PLAN),--plan) "$(STACK)"
