# The README's commands. Each installs what it needs into .venv; a second run installs nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= data
PORT ?= 8000
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
UV_COMPILE := uv pip compile --universal --generate-hashes --no-header --no-annotate --python-version 3.11

# What a command needs is installed side by side.
MAKEFLAGS += --jobs=2

# A service is several processes, its tests hundreds: each would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-rest test-all test-gpu serve gpu parquet signing tracing lint openapi page sdk bench load fuzz lock audit sbom clean

demo: $(VENV)/.runtime
	@$(BIN)/python demo/run.py

# test: what every change needs. test-rest: the thorough tests. test-all: both (tests/README.md).
test: $(VENV)/.dev $(VENV)/.generator $(VENV)/.clients
	@$(PYTEST) -m "not thorough"

test-rest: $(VENV)/.dev $(VENV)/.generator $(VENV)/.clients
	@$(PYTEST) -m thorough

test-all: $(VENV)/.dev $(VENV)/.generator $(VENV)/.clients
	@$(PYTEST)

# What needs a CUDA device. The machine needs only numpy, CuPy and pytest.
test-gpu:
	@$(if $(wildcard $(BIN)/python),$(BIN)/python,$(PYTHON)) -m pytest -m gpu

serve: $(VENV)/.runtime
	@$(BIN)/shardwater serve --data $(DATA) --port $(PORT)

# From then on everything here computes on the GPUs that there are.
gpu: $(VENV)/.gpu
	@$(BIN)/python -c 'import gpu; print(gpu.device_count(), "GPU(s)")'

# From then on results can be had as Parquet files.
parquet: $(VENV)/.parquet

# From then on results can be signed, and signatures checked.
signing: $(VENV)/.signing

# From then on traces go to a collector, where OTEL_EXPORTER_OTLP_ENDPOINT names one.
tracing: $(VENV)/.tracing

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

openapi: $(VENV)/.runtime
	@$(BIN)/python -P -m app.openapi > openapi/openapi.json

# The page's script and styles, from page/ into the package (needs Node and npm).
page: page/node_modules/.package-lock.json
	@cd page && npm run --silent build

page/node_modules/.package-lock.json: page/package-lock.json
	@cd page && npm ci --silent --ignore-scripts

# The generated half of both clients (needs npm for TypeScript's).
sdk: openapi $(VENV)/.generator
	@PATH="$(abspath $(VENV))/generator/bin:$$PATH" sh sdk/python/generator/generate.sh sdk/python/shardwater_client/generated
	@cd sdk/typescript && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent generate

bench: $(VENV)/.dev
	@$(BIN)/python benchmarks/latency.py

# The load tool of benchmarks/load.py.
load: $(VENV)/.dev $(VENV)/.load

# What guides benchmarks/fuzz_bytes.py.
fuzz: $(VENV)/.atheris

# Newer versions of what pyproject.toml asks for (needs uv).
lock:
	$(UV_COMPILE) --upgrade pyproject.toml requirements/build.in -o requirements/runtime.txt
	$(UV_COMPILE) --upgrade pyproject.toml requirements/build.in --extra dev -c requirements/runtime.txt -o requirements/dev.txt
	$(UV_COMPILE) --upgrade pyproject.toml requirements/build.in --extra gpu -c requirements/runtime.txt -o requirements/gpu.txt
	$(UV_COMPILE) --upgrade pyproject.toml requirements/build.in --extra parquet -c requirements/dev.txt -o requirements/parquet.txt
	$(UV_COMPILE) --upgrade pyproject.toml requirements/build.in --extra signing -c requirements/dev.txt -o requirements/signing.txt
	$(UV_COMPILE) --upgrade pyproject.toml requirements/build.in --extra tracing -c requirements/dev.txt -o requirements/tracing.txt
	$(UV_COMPILE) --upgrade requirements/generator.in -o requirements/generator.txt
	$(UV_COMPILE) --upgrade requirements/clients.in --no-deps -o requirements/clients.txt
	$(UV_COMPILE) --upgrade requirements/load.in -o requirements/load.txt
	$(UV_COMPILE) --upgrade requirements/atheris.in -o requirements/atheris.txt
	$(UV_COMPILE) --upgrade requirements/audit.in -o requirements/audit.txt

# What is known against the pinned requirements (needs a network; says so without one).
audit: $(VENV)/.audit
	@$(VENV)/audit/bin/python requirements/audit.py $(filter-out %.in,$(wildcard requirements/*.txt))

# What the service is made of, as CycloneDX.
sbom: $(VENV)/.audit
	@mkdir -p build
	@$(VENV)/audit/bin/cyclonedx-py requirements requirements/runtime.txt --pyproject pyproject.toml \
		--mc-type application --output-reproducible --of JSON -o build/sbom.json
	@echo build/sbom.json

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml
	@sh requirements/install.sh $(PYTHON) $(VENV) runtime

$(VENV)/.dev: requirements/dev.txt pyproject.toml
	@sh requirements/install.sh $(PYTHON) $(VENV) dev

$(VENV)/.gpu: requirements/gpu.txt pyproject.toml
	@sh requirements/install.sh $(PYTHON) $(VENV) gpu

$(VENV)/.parquet: requirements/parquet.txt pyproject.toml
	@sh requirements/install.sh $(PYTHON) $(VENV) parquet

$(VENV)/.signing: requirements/signing.txt pyproject.toml
	@sh requirements/install.sh $(PYTHON) $(VENV) signing

$(VENV)/.tracing: requirements/tracing.txt pyproject.toml
	@sh requirements/install.sh $(PYTHON) $(VENV) tracing

$(VENV)/.audit: requirements/audit.txt
	@$(PYTHON) -m venv $(VENV)/audit
	@$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/audit.txt
	@touch $@

# In an environment of its own: it wants an older typer than the service.
$(VENV)/.generator: requirements/generator.txt
	@$(PYTHON) -m venv $(VENV)/generator
	@$(VENV)/generator/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/generator.txt
	@touch $@

# Clients of ColabFold's interface, in a folder of their own and without what they need for anything else.
$(VENV)/.clients: requirements/clients.txt $(VENV)/.generator
	@$(VENV)/generator/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
		--require-hashes --upgrade --target $(VENV)/clients -r requirements/clients.txt
	@touch $@

# In an environment of its own: it patches Python's sockets.
$(VENV)/.load: requirements/load.txt
	@$(PYTHON) -m venv $(VENV)/load
	@$(VENV)/load/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/load.txt
	@touch $@

# Beside the service's own requirements: it runs in the process that it looks into.
$(VENV)/.atheris: requirements/atheris.txt $(VENV)/.dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/atheris.txt
	@touch $@
