#!/usr/bin/env bash
# Whether the server on this machine answers, without starting Node: 0 yes, 1 no. The health check of the image.
# Usage: health-check.sh [liveness|readiness]
set -u
port=${PORT:-8080} question=${1:-liveness}

ask() {
  exec 3<>"/dev/tcp/127.0.0.1/${port%%,*}" || return 1
  printf 'GET /health/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$question" >&3
  read -r -t 3 _ status _ <&3 && [ "$status" = 200 ]
}

if ask 2>/dev/null; then exit 0; else exit 1; fi
