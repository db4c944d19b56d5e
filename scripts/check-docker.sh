#!/usr/bin/env bash
# With Docker, what scripts/check-image.sh does without: builds and runs the image by the lines that docs/operation.md
# prints, stops it at moments of its start, and replaces the replicas of deploy/compose.yaml under requests.
# Not part of CI, which has no container engine. Needs Compose 2.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
eval "$(grep -E '^(MEMORY_)?BOUND_MB=' scripts/check-image.sh)"
name=ledgerlens-check
compose=(docker compose --project-name "$name" --file deploy/compose.yaml)
export POSTGRES_PASSWORD=secret LEDGERLENS_PORT=${LEDGERLENS_PORT:-18080}
asking=
clean() {
  [ -z "$asking" ] || kill "$asking" 2>/dev/null || true
  docker rm --force --volumes "$name" >/dev/null 2>&1 || true
  docker volume rm "$name" >/dev/null 2>&1 || true
  "${compose[@]}" down --volumes >/dev/null 2>&1 || true
}
trap clean EXIT
trap 'echo "failed at line $LINENO"' ERR

printed() { grep -E "^docker $1 " docs/operation.md || { echo "docs/operation.md prints no docker $1"; exit 1; } >&2; }
now() { echo $((${EPOCHREALTIME/./} / 1000)); }

$(printed build)
image=$(printed build | sed -E 's/.*--tag (\S+).*/\1/')
size=$(($(docker image inspect --format '{{.Size}}' "$image") / 1000000))
echo "$size MB of image"
[ "$size" -le "$BOUND_MB" ] || { echo "more than $BOUND_MB MB: what came in?"; exit 1; }

# As printed, but with a name, a volume and a port of its own.
line=$(printed run)
line=${line/docker run/docker run --detach --name $name}
line=${line/--volume ledgerlens:/--volume $name:}
line=${line/--publish 8080:/--publish 127.0.0.1:$LEDGERLENS_PORT:}
[[ $line == *"--name $name "*"--volume $name:/data --publish 127.0.0.1:$LEDGERLENS_PORT:8080 "* ]]
ready() { curl --fail --silent --output /dev/null "http://127.0.0.1:$LEDGERLENS_PORT/health/readiness"; }

start=$(now)
$line >/dev/null
for _ in $(seq 300); do ready && break; sleep 0.1; done
ready
start=$(($(now) - start))
[ "$start" -gt 1000 ] || start=1000
docker exec "$name" bash scripts/health-check.sh readiness
docker exec "$name" ledgerlens compilers list
sleep 3
memory() {
  docker exec "$name" bash -c 'for process in /proc/[0-9]*; do
    read -r -d "" first <"$process/cmdline" && [ "$first" = node ] || continue
    while read -r key value _; do [ "$key" != "$0:" ] || echo $((value * 1024 / 1000000)); done <"$process/status"
  done' "$1"
}
own=$(memory RssAnon)
echo "ready with $own MB of its own memory and $(memory RssFile) MB of mapped files;" \
  "docker stats: $(docker stats --no-stream --format '{{.MemUsage}}' "$name")"
[ "$own" -le "$MEMORY_BOUND_MB" ] || { echo "more than $MEMORY_BOUND_MB MB of its own: what does an idle server keep?"; exit 1; }
docker stop "$name" >/dev/null
[ "$(docker inspect --format '{{.State.ExitCode}}' "$name")" = 0 ]
docker rm "$name" >/dev/null

# Within a second, or as long as this machine takes for a start.
for moment in 0.2 0.5 1 2; do
  for init in --init ''; do
    ${line/--init /${init:+$init }} >/dev/null
    sleep "$moment"
    stopped=$(now)
    docker stop "$name" >/dev/null
    stopped=$(($(now) - stopped)) code=$(docker inspect --format '{{.State.ExitCode}}' "$name")
    echo "stopped ${moment} s after the start ${init:-without --init}: ended within $stopped ms, exit code $code"
    [ "$stopped" -le "$start" ]
    [ "$code" = 0 ] || [ "$code" = 143 ]
    docker rm "$name" >/dev/null
  done
done

"${compose[@]}" up --detach --build --wait
for _ in $(seq 100); do ready && break; sleep 0.1; done
lost=$(mktemp)
while true; do
  curl --fail --silent --output /dev/null "http://127.0.0.1:$LEDGERLENS_PORT/version" || echo "a request failed: curl $?"
done >"$lost" &
asking=$!
updates=$(printed compose | grep -E -- '--wait replica-')
[ "$(wc -l <<<"$updates")" = 2 ]
while read -r update; do
  update=${update/docker compose/docker compose --project-name $name}
  ${update/ up / up --force-recreate } </dev/null
done <<<"${updates//&&/}"
kill "$asking"
[ ! -s "$lost" ] || { cat "$lost"; exit 1; }
rm "$lost"
echo 'two replicas replaced, no request lost'
