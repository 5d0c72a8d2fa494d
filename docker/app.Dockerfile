# The front end: HTTP and the watchdog. No engine is loaded here, no CUDA is needed.
# docker build -f docker/app.Dockerfile --build-arg SHARDWATER_COMMIT=$(git rev-parse HEAD) -t shardwater-app .

FROM python:3.12-slim AS build
WORKDIR /build
RUN python -m venv /opt/shardwater
ENV PATH=/opt/shardwater/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements/runtime.txt requirements/
RUN pip install --require-hashes -r requirements/runtime.txt
COPY . .
RUN pip install --no-deps --no-build-isolation .

FROM python:3.12-slim
# The volume of uploads takes its owner from this folder.
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent shardwater \
    && install --directory --owner=10001 --group=10001 /work
COPY --from=build /opt/shardwater /opt/shardwater
ARG SHARDWATER_COMMIT=unknown
ENV PATH=/opt/shardwater/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SHARDWATER_COMMIT=$SHARDWATER_COMMIT \
    SHARDWATER_DATA=/data \
    SHARDWATER_HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
EXPOSE 8000
CMD ["python", "-P", "-m", "app"]
