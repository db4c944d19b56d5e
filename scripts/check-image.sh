#!/usr/bin/env bash
# Does what the Dockerfile describes without a container engine: Node 24 (from npm), production install, the root file
# system by the same script; then runs the server inside that root as the image's user: health check, a verification
# with a bundled compiler, graceful stop. Run as root; otherwise the server runs beside the root, not inside it.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
server=
# All of the image, its base included. docs/measurements.md has the figures.
BOUND_MB=190
# Its own, ready, with an empty ledger.
MEMORY_BOUND_MB=85
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'echo "failed at line $LINENO"; tail -n 20 "$work/log" 2>/dev/null || true' ERR

npm install --silent --no-save --prefix "$work/node24" node@24.21.0
export PATH="$work/node24/node_modules/node/bin:$PATH"
# The image has no compiler: nothing may need one.
export CC=false CXX=false npm_config_nodedir="$work/nowhere"
echo "node $(node --version)"

mkdir "$work/app"
cp -r package.json package-lock.json .npmrc tsconfig.json tsconfig.types.json scripts src tools openapi "$work/app"
(
  cd "$work/app"
  find src tools -name '*.test.ts' -delete
  npm ci --silent
  npm run --silent build
  npm prune --silent --omit=dev
  scripts/slim-modules.sh node_modules "$(node -p 'process.platform + "-" + process.arch')"
  node scripts/compact-json.mjs openapi/*.json
  find dist \( -name '*.map' -o -name '*.d.ts' \) -delete
)
scripts/assemble-root.sh "$work/image" "$(readlink -f "$work"/node24/node_modules/node/node_modules/node-*/bin/node)"
app=$work/image/app
mkdir -p "$app/scripts" "$work/image/data"
mv "$work/app/package.json" "$work/app/node_modules" "$work/app/dist" "$work/app/openapi" "$app"
cp -r migrations licences THIRD_PARTY_NOTICES.md "$app"
cp scripts/health-check.sh "$app/scripts"

size() { du -s --block-size=1MB "$@" | cut -f1; }
bounded() { [ "$1" -le "$BOUND_MB" ] || { echo "more than $BOUND_MB MB: what came in?"; exit 1; }; }
files=$(size --apparent-size "$work/image")
disk=$(size "$work/image")
packed=$(tar -C "$work" -cz image | wc -c)
echo "$files MB of files, $disk MB on the disk, $((packed / 1000000)) MB compressed;" \
  "of the files $(size --apparent-size "$app") MB are ours, $(size --apparent-size "$app/node_modules") MB of those packages"
bounded "$files"
bounded "$disk"
test ! -e "$app/node_modules/vitest" || { echo 'development packages were shipped'; exit 1; }


# Runs a command as the image does, with nothing in the environment but what is named before `--`. Becomes it, so that
# a signal to the process in the background reaches the server. The mounts end with the namespace. NAMESPACES: options of
# unshare for more of them.
inside() {
  local environment=(PATH=/usr/local/bin:/usr/bin:/bin MALLOC_ARENA_MAX=2)
  while [ "$1" != -- ]; do environment+=("$1"); shift; done
  shift
  exec env -i "${environment[@]}" unshare --mount ${NAMESPACES:-} bash -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec /usr/sbin/chroot --userspec=1000:1000 "$0" \
      sh -c "cd /app && exec \"\$@\"" sh "$@"' "$work/image" "$@"
}
beside() {
  local environment=(PATH="$work/image/usr/local/bin:/usr/bin:/bin" MALLOC_ARENA_MAX=2)
  while [ "$1" != -- ]; do environment+=("$1"); shift; done
  shift
  cd "$app"
  exec env -i "${environment[@]}" "$@"
}
data=/data run=inside
chmod 755 "$work" "$work/image"
if reason=$(chown 1000:1000 "$work/image/data" 2>&1 && (inside -- node --version) 2>&1); then
  echo "inside the root, as $(inside -- bash -c 'echo "user $UID: Node $(node --version)"')"
else
  echo "beside the root, not inside it: $reason"
  data=$work/image/data run=beside
  chmod -R a-w "$app"
fi

version=$(node -p 'require("./package.json").version')
[ "$("$run" -- ledgerlens --version)" = "$version" ] || { echo "ledgerlens is not on the PATH of the image"; exit 1; }

port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
chains=$(node -p "const {address, creationBytecode, runtimeBytecode} = require('./src/commands/demo-contract.json');
  JSON.stringify({1337: {static: {[address]: {creationBytecode, runtimeBytecode}}}})")
now() { echo $((${EPOCHREALTIME/./} / 1000)); }
start=$(now)
"$run" NODE_ENV=production HOST=127.0.0.1 PORT="$port" DATABASE_URL="sqlite:$data/ledgerlens.sqlite" DRAIN_SECONDS=1 \
  VERIFY_CHAINS="$chains" -- node dist/main.js serve 2>"$work/log" &
server=$!
alive() { ("$run" PORT="$port,1" -- bash scripts/health-check.sh); }
ask() { node -e "fetch('http://127.0.0.1:$port$1').then(async r=>{console.log(r.status,(await r.text()).slice(0,200));process.exit(r.ok?0:1)},()=>process.exit(1))"; }
for _ in $(seq 100); do alive && break; sleep 0.1; done
start=$(($(now) - start))
[ "$start" -gt 1000 ] || start=1000
alive || { echo 'the health check fails while the server runs'; exit 1; }
ask /health/readiness
# The start gives back what only it needed as its last step. Of mapped files the kernel counts as it likes: 66 to 95 MB.
sleep 3
memory() { echo $(($(awk "/^$1/ { print \$2 }" "/proc/$server/status") * 1024 / 1000000)); }
echo "ready with $(memory RssAnon) MB of its own memory and $(memory RssFile) MB of mapped files"
[ "$(memory RssAnon)" -le "$MEMORY_BOUND_MB" ] || { echo "more than $MEMORY_BOUND_MB MB of its own: what does an idle server keep?"; exit 1; }
ask /api/v2/summary.json
ask /api/v1/transactions
ask /docs/openapi/all.json
# With a packed compiler, as a client does it.
node -e "
const { address, submission } = require('./src/commands/demo-contract.json');
const ask = async (path, init) => (await fetch('http://127.0.0.1:$port' + path, init)).json();
const headers = { 'content-type': 'application/json' };
ask('/v2/verify/1337/' + address, { method: 'POST', headers, body: JSON.stringify(submission) })
  .then(({ verificationId }) => ask('/v2/verify/' + verificationId + '?wait=60'))
  .then(({ contract, error }) => {
    console.log('verified with', submission.compilerVersion + ':', contract?.match, error?.message ?? '');
    process.exit(contract?.match === 'exact_match' ? 0 : 1);
  });
"
# What starts native compilers, and the libraries that they need.
("$run" -- sh -c 'ulimit -c 0; ulimit -f 524288; ulimit -d 1572864; ulimit -t 60; exec "$@"' sh node -p '"limits can be set"')
kill -TERM "$server"
wait "$server" && echo 'stopped with exit code 0' || { echo "exit code $?"; cat "$work/log"; exit 1; }
server=
if alive; then
  echo 'the health check does not see that the server has stopped'
  exit 1
fi

# As process 1, from which the kernel withholds signals without a handler: a stop ends every moment of its start, within a
# second, or as long as this machine takes for a start. A busy machine gets to the handler later: until it is there (SIGHUP
# is caught by nothing else), or should be, after 0.2 s of a processor.
[ "$run" = inside ] || { echo 'left out: as process 1, which needs root'; exit 0; }
handles() { (( 0x$(awk '/^SigCgt/ { print $2 }' "/proc/$1/status") & 1 )); }
used() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
for moment in 0.2 0.5 1 2; do
  NAMESPACES='--pid --fork --kill-child' inside NODE_ENV=production HOST=127.0.0.1 PORT="$port" DRAIN_SECONDS=0 \
    DATABASE_URL=sqlite:/data/ledgerlens.sqlite -- node dist/main.js serve 2>"$work/log" &
  server=$!
  until first=$(pgrep -P "$server") && [[ $(readlink "/proc/$first/exe") = */node ]]; do sleep 0.01; done
  sleep "$moment"
  until handles "$first" || [ "$(used "$first")" -ge 20 ]; do sleep 0.01; done
  stopped=$(now)
  kill -TERM "$first"
  while [ -d "/proc/$first" ] && [ $(($(now) - stopped)) -lt "$start" ]; do sleep 0.01; done
  [ ! -d "/proc/$first" ] || { echo "process 1, stopped after $moment s, has not ended within $start ms"; exit 1; }
  echo "process 1, stopped after $moment s, ended within $(($(now) - stopped)) ms"
  wait "$server" || true
  server=
done
