#!/usr/bin/env bash
# `npm run test:page`, first half: installs a Chromium where apt can do it, else says what to do; the tests then skip.
set -euo pipefail

for browser in "${CHROMIUM_PATH:-}" /usr/bin/chromium /usr/bin/google-chrome /usr/bin/chromium-browser; do
  if [ -n "$browser" ] && [ -x "$browser" ]; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium > /dev/null; then exit 0; fi
fi
echo 'No Chromium: install the package chromium, or set CHROMIUM_PATH to its executable.'
