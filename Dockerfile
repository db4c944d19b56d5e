# Build: everything the manifest names, then only what runs.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/build-sqlite-driver.mjs scripts/
RUN npm ci
COPY tsconfig.json tsconfig.types.json ./
COPY scripts scripts
COPY src src
COPY tools tools
COPY openapi openapi
RUN npm run build \
 && npm prune --omit=dev \
 && scripts/slim-modules.sh node_modules "$(node -p 'process.platform + "-" + process.arch')" \
 && node scripts/compact-json.mjs openapi/*.json \
 && find dist \( -name '*.map' -o -name '*.d.ts' \) -delete \
 && mkdir /empty

# Node, a shell and their libraries, without the rest of Debian.
FROM node:24.21.0-bookworm-slim AS root
RUN apt-get update && apt-get install -y --no-install-recommends binutils
COPY scripts/assemble-root.sh /
RUN /assemble-root.sh /image

FROM scratch
COPY --from=root /image/ /
WORKDIR /app
ENV PATH=/usr/local/bin:/usr/bin:/bin \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATABASE_URL=sqlite:/data/ledgerlens.sqlite \
    DRAIN_SECONDS=5 \
    MALLOC_ARENA_MAX=2
COPY --from=build /app/package.json ./
COPY THIRD_PARTY_NOTICES.md ./
COPY licences licences
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY migrations migrations
COPY --from=build /app/openapi openapi
COPY scripts/health-check.sh scripts/
COPY --from=build --chown=1000:1000 /empty /data
USER node
# The only place that is written: run with --read-only.
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# A start that migrates a large ledger takes a while; one that answers earlier is healthy at once.
HEALTHCHECK --interval=10s --timeout=4s --start-period=30m --retries=3 \
  CMD ["bash", "scripts/health-check.sh"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]

# Last, so that a new commit does not build the layers above anew.
ARG GIT_COMMIT=unknown
ARG VERSION=unknown
ARG SOURCE_URL=
ENV GIT_COMMIT=$GIT_COMMIT
LABEL org.opencontainers.image.title="Ledgerlens" \
      org.opencontainers.image.description="Contract verification, status page and ledger mirror APIs in one small server" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$GIT_COMMIT" \
      org.opencontainers.image.source="$SOURCE_URL"
