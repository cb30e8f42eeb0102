# The service by itself: one process, one file of memories in /data, nobody's privileges.
FROM python:3.12-slim

WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN pip install --no-cache-dir ".[serve,postgres]" && rm -rf /build \
    && useradd --create-home --uid 10001 groundwire \
    && mkdir /data && chown groundwire /data

WORKDIR /data
USER groundwire
VOLUME /data
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
ENTRYPOINT ["groundwire"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8765", "--store", "/data/memory.db"]
