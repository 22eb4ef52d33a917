# Motley in a container: not root, and everything but /data can be read only. compose.yaml shows how it is run.
FROM python:3.11-slim AS made
WORKDIR /motley
COPY requirements/postgres.txt .
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --no-cache-dir --disable-pip-version-check --require-hashes -r postgres.txt

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home motley && install -d -o motley -m 700 /data
COPY --from=made /venv /venv
WORKDIR /motley
COPY LICENSE bot.py pyproject.toml ./
COPY cogs cogs
COPY docs/lessons docs/lessons
COPY docs/puzzles docs/puzzles
COPY docs/rules docs/rules
COPY engines engines
COPY motley motley
COPY players players
COPY storage storage
COPY worker_pool worker_pool
RUN /venv/bin/python -m compileall -q .
ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    MOTLEY_DATABASE=/data/motley.db MOTLEY_METRICS=9464
USER 10001
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["python", "-c", "import os, urllib.request as r; \
r.urlopen('http://127.0.0.1:' + os.environ['MOTLEY_METRICS'] + '/health', timeout=5)"]
# Docker restarts a container at once, however it ended: this waits if only the owner can fix the cause.
CMD ["python", "motley/container.py"]
