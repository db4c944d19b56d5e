#!/usr/bin/env bash
# Does what the Dockerfile describes without a container engine: Node 24 (from npm), production install, the
# start command as another user would run it with only the data folder writable, health check, graceful stop.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
server=
# What the image may add to its base. ADR 68 has the figures.
BOUND_MB=140
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'echo "failed at line $LINENO"; tail -n 20 "$work/log" 2>/dev/null || true' ERR

npm install --silent --no-save --prefix "$work/node24" node@24.21.0
export PATH="$work/node24/node_modules/node/bin:$PATH"
# The image has no compiler: nothing may need one.
export CC=false CXX=false npm_config_nodedir="$work/nowhere"
echo "node $(node --version)"

mkdir "$work/app" "$work/data"
cp -r package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json tsconfig.types.json scripts src "$work/app"
(
  cd "$work/app"
  find src -name '*.test.ts' -delete
  find src -type d -name testing -prune -exec rm -rf {} +
  npm ci --silent
  npm run --silent build
  npm prune --silent --omit=dev
  scripts/slim-modules.sh node_modules "$(node -p 'process.platform + "-" + process.arch')"
  find dist -name '*.map' -delete
  rm -rf src scripts
)
cp -r migrations THIRD_PARTY_NOTICES.md "$work/app"
mkdir "$work/app/scripts"
cp scripts/health-check.sh "$work/app/scripts"
size() { du -s --apparent-size --block-size=1MB "$@" | cut -f1; }
added=$(size "$work/app")
packed=$(tar -C "$work" -cz app | wc -c)
echo "$added MB added to the base image, $((packed / 1000000)) MB compressed; $(size "$work/app/node_modules") MB of it packages"
[ "$added" -le "$BOUND_MB" ] || { echo "more than $BOUND_MB MB: what came in?"; exit 1; }
test ! -e "$work/app/node_modules/vitest" || { echo 'development packages were shipped'; exit 1; }

chmod -R a-w "$work/app"
cd "$work/app"
port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
NODE_ENV=production HOST=127.0.0.1 PORT=$port DATABASE_URL="sqlite:$work/data/ledgerlens.sqlite" DRAIN_SECONDS=1 \
  node dist/main.js serve 2>"$work/log" &
server=$!
alive() { env -i PATH="$PATH" PORT="$port,1" scripts/health-check.sh; }
ask() { node -e "fetch('http://127.0.0.1:$port$1').then(async r=>{console.log(r.status,(await r.text()).slice(0,200));process.exit(r.ok?0:1)},()=>process.exit(1))"; }
for _ in $(seq 100); do alive && break; sleep 0.1; done
alive || { echo 'the health check fails while the server runs'; exit 1; }
ask /health/readiness
ask /api/v2/summary.json
ask /api/v1/transactions
kill -TERM "$server"
wait "$server" && echo 'stopped with exit code 0' || { echo "exit code $?"; cat "$work/log"; exit 1; }
if alive; then
  echo 'the health check does not see that the server has stopped'
  exit 1
fi
