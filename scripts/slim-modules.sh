#!/usr/bin/env bash
# Removes from a folder of production packages what the server never reads: SQLite's sources and what was built on the
# way, its binaries for other platforms, types and TypeScript sources, source maps, tests, Markdown and the like.
# Licences stay.
# Usage: slim-modules.sh FOLDER PLATFORM, as in: slim-modules.sh node_modules linux-x64
set -euo pipefail
folder=${1:?folder of packages} platform=${2:?platform of the binaries that stay, as in linux-x64}
cd "$folder"

for driver in better-sqlite3 better-sqlite3-legacy; do
  [ -d "$driver" ] || continue
  rm -rf "$driver/deps" "$driver/src" "$driver/build/Release/obj" "$driver/build/Release/obj.target" "$driver/build/deps"
  if [ -d "$driver/prebuilds" ]; then
    [ -f "$driver/prebuilds/$platform.node" ] || { echo "$driver has no binary for $platform" >&2; exit 1; }
    find "$driver/prebuilds" -type f ! -name "$platform.node" -delete
  fi
done
# Headers for those who compile; colours and extras for browsers; a build that no page loads; every grammar a second time.
rm -rf node-addon-api prismjs/plugins prismjs/themes @fastify/swagger-ui/static/swagger-ui.js
find . -path '*/prismjs/components/*.min.js' -delete
find . -type d -name .github -prune -exec rm -rf {} +
# Only beside a manifest: the tests of a package, not a folder of its code that happens to have the name.
find . -type d \( -name test -o -name tests -o -name __tests__ \) -prune -print0 |
  while IFS= read -r -d '' tests; do
    [ ! -f "${tests%/*}/package.json" ] || rm -rf "$tests"
  done
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -iname '*.md' \) \
  ! -iname 'licen[cs]e*' ! -iname 'copying*' ! -iname 'notice*' ! -iname '*third*party*' -delete
