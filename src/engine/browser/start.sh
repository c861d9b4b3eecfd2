#!/bin/sh
# Becomes Chromium. Notes its process id, and leaves root: Chromium's sandbox refuses to work for it.
# Usage: start.sh [Chromium's own arguments]; SONDE_CHROMIUM and SONDE_BROWSER_PID_FILE are set by the engine.
# SONDE_BROWSER_OFFLINE: in a network namespace of its own, which has no route, where the system lets one be made.
set -eu
printf '%s' "$$" > "$SONDE_BROWSER_PID_FILE"
profile=
# The network service as a thread: on Linux it has no sandbox of its own, and as a process costs each browser a tenth of its start.
for argument do
  shift
  case $argument in
    --user-data-dir=*) profile=${argument#--user-data-dir=} ;;
    --enable-features=*) argument=$argument,NetworkServiceInProcess2 ;;
  esac
  set -- "$@" "$argument"
done
export HOME="${profile:-/nonexistent}" XDG_CONFIG_HOME="${profile:-/nonexistent}" XDG_CACHE_HOME="${profile:-/nonexistent}"
program=$SONDE_CHROMIUM
offline=${SONDE_BROWSER_OFFLINE:-}
unset SONDE_CHROMIUM SONDE_BROWSER_PID_FILE SONDE_BROWSER_OFFLINE
apart=
if [ -n "$offline" ]; then
  apart='unshare --net --'
  if [ "$(id -u)" -ne 0 ]; then apart='unshare --user --map-current-user --net --'; fi
  if ! $apart true 2>/dev/null; then apart=; fi
fi
if [ "$(id -u)" -ne 0 ]; then exec $apart setpriv --pdeathsig KILL "$program" "$@"; fi
if [ -n "$profile" ]; then chown -R 65534:65534 "$profile"; fi
exec $apart setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --inh-caps=-all --pdeathsig KILL "$program" "$@"
