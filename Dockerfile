# Quantification Lab: several processes of the app behind HAProxy, in one container. docs/deploying.md says how to run it.
FROM python:3.11-slim

RUN apt-get update && apt-get install -y --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY .ci/requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt

COPY LICENSE CHANGELOG.md app.py ./
COPY .streamlit .streamlit
COPY pages pages
COPY docs/*.md docs/
COPY qcore qcore

# Nobody who finds a way in is root, or can change the app.
RUN useradd --create-home --uid 1000 lab && mkdir /pieces /data && chown lab /pieces /data && chmod 700 /pieces
USER lab

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 WORKERS=2 \
    QUANTIFICATION_LAB_PIECES=/pieces QUANTIFICATION_LAB_CACHE=/pieces/data-sets
EXPOSE 8501
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=2)"]
CMD ["sh", "-c", "exec python -m pages.server.workers --workers ${WORKERS} --address 0.0.0.0 --port 8501 ${MORE:-}"]
