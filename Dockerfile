# The program as a container; the version is the one of the devDependency "node".
FROM node:24.21.0-bookworm-slim
# The Temporal client reads the system's root certificates; the slim image has none.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY src src
COPY workflows workflows
COPY activities activities
# Volumes take over the owner of the folder that they cover.
RUN ln -s /app/src/cli.ts /usr/local/bin/prospect-sync \
  && mkdir /project /example \
  && chown node:node /project /example
USER node
WORKDIR /project
ENV NODE_ENV=production
ENTRYPOINT ["prospect-sync"]
CMD ["--help"]
