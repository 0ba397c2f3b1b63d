# The program as a container; the version is the one of tools/node. Pinned by its tag only: the digest could
# not be looked up where this was written.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/exceljs tools/exceljs
RUN npm ci --omit=dev --ignore-scripts
COPY src src
COPY sandbox sandbox
COPY conformance conformance
COPY workflows workflows
COPY activities activities
# Compiled here, so that a container compiles nothing and can run on a read-only file system.
RUN node --disable-warning=ExperimentalWarning src/temporal/build-workflow-bundles.ts

FROM node:24.21.0-bookworm-slim
# The Temporal client reads the system's root certificates; the slim image has none.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/workflow-bundles workflow-bundles
COPY package.json ./
COPY src src
COPY sandbox sandbox
COPY conformance conformance
COPY workflows workflows
COPY activities activities
COPY tools/prospect-sync.mjs tools/async-disposable-stack.mjs tools/
# Volumes take over the owner of the folder that they cover.
RUN ln -s /app/tools/prospect-sync.mjs /usr/local/bin/prospect-sync \
  && mkdir /project /example \
  && chown node:node /project /example
USER node
WORKDIR /project
ENV NODE_ENV=production
ENTRYPOINT ["prospect-sync"]
CMD ["worker", "--health-port", "8080"]
# Another command than the worker switches it off: docker run --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# A worker takes no new work and lets activities reach their next heartbeat; what it leaves goes on in another one.
STOPSIGNAL SIGTERM
