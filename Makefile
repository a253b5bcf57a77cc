# The commands of Perepiska. `make serve` and `make test` set up what they need.
.PHONY: serve test setup soak bench yardsticks screenshots administrator lock messages
PYTHON ?= python3
REQUIREMENTS ?= requirements-dev.txt
RUN := .venv/bin/python
UV = $(lastword $(wildcard .tools/uv-*/bin/uv))
# Each of the many processes would compile everything anew.
export PYTHONDONTWRITEBYTECODE =
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header

serve: setup
	@exec $(RUN) -m config.stack

test: setup
	@$(RUN) -m tests.run

soak: setup
	@HYPOTHESIS_PROFILE=soak $(RUN) -m tests.run soak

bench: setup
	@$(RUN) -m tests.bench

# OpenSpiel, to compare with, is in no other environment.
yardsticks: REQUIREMENTS = requirements-yardsticks.txt
yardsticks: setup
	@$(RUN) -m tests.yardsticks $(PARTS)

screenshots: setup
	@$(RUN) -m tests.screenshots $(PAGES)

administrator: setup
	@$(RUN) manage.py migrate --verbosity 0
	@$(RUN) manage.py createsuperuser

setup:
	@$(PYTHON) -I config/bootstrap.py $(REQUIREMENTS)

# For developers: write the lock files anew (UPGRADE=--upgrade takes later versions); collect texts for translation.
lock: setup
	echo "uv==0.13.9" | $(COMPILE) --no-annotate $(UPGRADE) - --output-file requirements-uv.txt
	$(COMPILE) $(UPGRADE) pyproject.toml --output-file requirements.txt
	$(COMPILE) $(UPGRADE) --extra dev --constraint requirements.txt pyproject.toml --output-file requirements-dev.txt
	$(COMPILE) $(UPGRADE) --extra dev --extra yardsticks --constraint requirements-dev.txt pyproject.toml --output-file requirements-yardsticks.txt

messages: setup
	$(RUN) -m config.messages extract
