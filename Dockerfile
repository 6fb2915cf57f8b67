# The server of `equilibrist serve` in a container; docs/web/start.md says how to build and run it.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/equilibrist \
    && /opt/equilibrist/bin/pip install --no-cache-dir ".[web]"

FROM python:${PYTHON}-slim
COPY --from=build /opt/equilibrist /opt/equilibrist
RUN useradd --uid 1000 --home-dir /data --no-create-home equilibrist \
    && install --directory --owner=equilibrist --group=equilibrist --mode=700 /data
ENV PATH=/opt/equilibrist/bin:$PATH \
    HOME=/data \
    PYTHONUNBUFFERED=1 \
    EQUILIBRIST_DATA_DIR=/data/equilibrist \
    EQUILIBRIST_CACHE_DIR=/data/cache
USER equilibrist
WORKDIR /data
VOLUME /data
EXPOSE 8137
# The page on which a token is given needs none.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8137/enter', timeout=4)"]
ENTRYPOINT ["equilibrist"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8137", "--no-browser"]
