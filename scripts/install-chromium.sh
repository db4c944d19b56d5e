#!/usr/bin/env bash
# Installs the Chromium that tests look at pages with, where apt can do it; else says what to do, and the tests skip.
set -euo pipefail

if [ -n "${CHROMIUM_PATH:-}" ]; then
  [ -x "$CHROMIUM_PATH" ] || echo "CHROMIUM_PATH: $CHROMIUM_PATH is not an executable."
  exit 0
fi
for browser in /usr/bin/chromium /usr/bin/google-chrome /usr/bin/chromium-browser; do
  if [ -x "$browser" ]; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium > /dev/null; then exit 0; fi
fi
echo 'No Chromium: install the package chromium, or set CHROMIUM_PATH to its executable.'
