# The commands of Perepiska. `make serve` and `make test` set up everything they need.
.PHONY: serve test setup lock soak bench messages administrator
SHELL := /bin/bash
# The machine's own python, also when a virtual environment is active.
PYTHON ?= $(shell python3 -c "import sys; print(sys._base_executable)")
UV_VERSION := 0.13.9
UV := .tools/uv/bin/uv
RUN := .venv/bin/python
REQUIREMENTS ?= requirements-dev.txt
PORT ?= 8000

serve: setup
	@PORT=$(PORT) $(RUN) -m config.stack

test: setup
	@$(RUN) -m tests.run

soak: setup
	@HYPOTHESIS_PROFILE=soak $(RUN) -m tests.run soak

bench: setup
	@$(RUN) -m tests.bench

administrator: setup
	@$(RUN) manage.py createsuperuser

setup: .venv/.complete

.venv/.complete: $(REQUIREMENTS) $(UV)
	@echo "Setting up .venv from $(REQUIREMENTS)"
	@test -x $(RUN) || $(UV) venv --quiet --python "$(PYTHON)" .venv
	@VIRTUAL_ENV=.venv $(UV) pip sync --quiet --require-hashes $(REQUIREMENTS)
	@touch $@

$(UV):
	@echo "Fetching uv $(UV_VERSION) into .tools"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target .tools/uv uv==$(UV_VERSION)

lock: $(UV)
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header pyproject.toml -o requirements.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt

messages: setup
	$(RUN) -m config.messages extract
