#!/usr/bin/env bash
# Installs the proxies whose configurations docs/operation.md shows, where Debian's packages can be reached; the test of one
# that is missing is left out. None of them is started.
set -uo pipefail
missing=()
for proxy in nginx haproxy caddy; do command -v "$proxy" > /dev/null || missing+=("$proxy"); done
[ ${#missing[@]} -gt 0 ] || exit 0
[ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || { echo "not installed, so not tested: ${missing[*]}"; exit 0; }
# Their services would start at once, on the ports of others.
policy=/usr/sbin/policy-rc.d
[ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' > "$policy" && chmod +x "$policy" && trap 'rm -f "$policy"' EXIT; }
(apt-get update && apt-get install --yes --no-install-recommends "${missing[@]/#nginx/nginx-light}") > /dev/null 2>&1 ||
  echo "could not be installed, so not tested: ${missing[*]}"
