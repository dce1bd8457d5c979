# `make run` starts the app, `make test` tests it; both set up what they need, once. PYTHON chooses the interpreter.
PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
# Servers and tests start many processes: without what Python has compiled, each compiles the project anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run serve experiment test thorough quick lint types tests docs browser peers distributions locked clean

# KEEL's copies of UCI's data sets are fetched once, beside the app, which goes on without them when there is no network.
# DATA names a folder of tables: make run DATA=FOLDER. ADDRESS=0.0.0.0 lets others in, as for a class: docs/hosting.md.
ifdef DATA
run serve: export QUANTIFICATION_LAB_DATA := $(DATA)
endif
run: .venv/run.stamp
	@$(BIN)/python -m qcore keel > /dev/null 2>&1 &
	$(BIN)/streamlit run app.py --server.address $(or $(ADDRESS),localhost) --server.port $(PORT)

# Several processes behind HAProxy: make serve WORKERS=4. ADDRESS=0.0.0.0 HOSTS=lab.example.org lets others in: docs/deploying.md.
WORKERS ?= 2
ifdef HOSTS
run serve: export QUANTIFICATION_LAB_HOSTS := $(HOSTS)
endif
serve: .venv/run.stamp
	$(BIN)/python -m pages.server.workers --workers $(WORKERS) --address $(or $(ADDRESS),127.0.0.1) --port $(PORT)

# An experiment, its critical-difference diagram and its box plot: make experiment NAME=barranquero-2013-chapter-5 DATA=FOLDER.
# What was stopped goes on when the command is given again.
NAME ?= bundled
INTO ?= $(NAME)
ifdef DATA
experiment: export QUANTIFICATION_LAB_DATA := $(DATA)
endif
experiment: .venv/run.stamp
	$(BIN)/python -m qcore experiment $(NAME) --into $(INTO)
	$(BIN)/python -m pages.compare.experiment_figure $(INTO)

# Types are checked and the site is built beside the tests: those in a browser leave a processor idle now and then.
test: lint
	@$(MAKE) --no-print-directory -j2 tests types docs

lint: .venv/dev.stamp
	$(BIN)/python -m pip check --disable-pip-version-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev.stamp
	$(BIN)/mypy

# While working: what the files that differ from the last commit need, without a browser, in a minute.
quick: lint
	$(BIN)/python -m tests.quick

# Each process starts with half of the tests in a browser, with one browser and one server for all of them.
tests: .venv/dev.stamp browser
	$(BIN)/python -m pytest -n 2 --dist worksteal

# Every test in a browser and on a cluster of processes, before a release and after a change of what only these show; BROWSER_PATH
# chooses the browser.
thorough: .venv/dev.stamp browser
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "browser or thorough"

browser: .venv/dev.stamp
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.browser.haproxy

# The documentation as a site, in dist/site; warnings are errors, and so is an example that fails.
docs: .venv/dev.stamp
	$(BIN)/python -m docs.site.build

# What is published: a wheel and a source distribution.
distributions: .venv/dev.stamp
	$(BIN)/python -m hatchling build -d dist

# The libraries beside which qcore is measured have an environment of their own.
peers: .venv-peers/stamp
	.venv-peers/bin/python -m benchmarks.peers
	.venv-peers/bin/python -m benchmarks.estimators
	PYTHONPATH=. .venv-peers/bin/python docs/gallery/quapy_beside_ours.py

.venv-peers/stamp: benchmarks/requirements.txt requirements.txt
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; PYTHON=... chooses it")'
	$(PYTHON) -m venv .venv || { \
	  echo "Could not make a virtual environment: Python 3.11 or newer with venv is needed" \
	       "(Debian: apt-get install python3-venv). PYTHON=... chooses another interpreter."; \
	  rm -rf .venv; exit 1; }

# A file whose hash is not in the list is refused. pip compiles what it installs on one processor; compileall on all. Some
# packages hold files that are no Python: never mind.
define install
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r $(1)
	$(BIN)/python -m compileall -q -j 0 .venv/lib > /dev/null 2>&1 || true
endef

.venv/run.stamp: .ci/requirements.txt | .venv/bin/python
	$(call install,.ci/requirements.txt)
	touch $@

.venv/dev.stamp: .ci/requirements-dev.txt | .venv/bin/python
	$(call install,.ci/requirements-dev.txt)
	touch $@ .venv/run.stamp

# The versions of constraints.txt with the hashes of all their files, for every system and Python: after each change of
# constraints.txt or of what is required. pip takes such a list alone, not beside the ranges of requirements.txt.
locked:
	$(PYTHON) -m venv .venv-peers/locking
	.venv-peers/locking/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	compile=".venv-peers/locking/bin/uv pip compile --quiet --universal --python-version 3.11.5 --generate-hashes --no-annotate \
	    --no-header --constraints constraints.txt requirements.txt" && \
	  $$compile --output-file .ci/requirements.txt && $$compile --group dev --output-file .ci/requirements-dev.txt

clean:
	rm -rf .venv .venv-peers dist
