# A worker of one shard, on NVIDIA's CUDA runtime. The requirements are those of the front end and CuPy.
# docker build -f docker/worker.Dockerfile --build-arg SHARDWATER_COMMIT=$(git rev-parse HEAD) -t shardwater-worker .

ARG CUDA_IMAGE=nvidia/cuda:13.0.1-runtime-ubuntu24.04

FROM ${CUDA_IMAGE} AS python
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

FROM python AS build
WORKDIR /build
RUN python3 -m venv /opt/shardwater
ENV PATH=/opt/shardwater/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements/gpu.txt requirements/
RUN pip install --require-hashes -r requirements/gpu.txt
COPY . .
RUN pip install --no-deps --no-build-isolation .

FROM python
# The volumes of compiled kernels and of uploads take their owner from these folders.
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent shardwater \
    && install --directory --owner=10001 --group=10001 /kernels /work
COPY --from=build /opt/shardwater /opt/shardwater
ARG SHARDWATER_COMMIT=unknown
ENV PATH=/opt/shardwater/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CUPY_CACHE_DIR=/kernels \
    SHARDWATER_COMMIT=$SHARDWATER_COMMIT \
    SHARDWATER_DATA=/data
USER 10001:10001
WORKDIR /data
