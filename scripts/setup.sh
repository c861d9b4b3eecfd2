# Sets up what is missing; sourced by `run` and `test`. Everything it says goes to standard error, one line a step;
# what apt and npm say goes to $setup_log. Expects $home, the folder of the product. Defines $node once setup_node has run.

setup_folder="$home/.setup"
setup_log="$setup_folder/setup.log"
# Seconds that one start waits for another that sets up, and for a program that holds apt's locks.
SETUP_WAIT=3600
APT_WAIT=600

say() { printf 'sonde: %s\n' "$*" >&2; }

# shellcheck source=scripts/setup-node.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup-node.sh"
# shellcheck source=scripts/setup-debian.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup-debian.sh"
# shellcheck source=scripts/start-node.sh
. "$(dirname "${BASH_SOURCE[0]}")/start-node.sh"

# The folder for the log and for what is needed while setting up. Fails where this user may not write here.
open_setup_folder() {
  if ! mkdir -p "$setup_folder" 2>/dev/null || ! [ -w "$setup_folder" ] || ! [ -w "$home" ]; then return 1; fi
  if ! { : >>"$setup_log"; } 2>/dev/null; then setup_log=/dev/null; fi
}

# Of two starts at once, one sets up and the other waits for it. Descriptor 9 is closed for every program that is
# started meanwhile, since a service that a package starts would keep the lock for ever.
lock_setup() {
  lock_depth=$((lock_depth + 1))
  [ "$lock_depth" = 1 ] || return 0
  # apt ends with a code of its own upon Ctrl-C, which would be taken for a failure that is gone around.
  trap 'exit 130' INT
  exec 9<"$home/package-lock.json"
  flock -n 9 && return 0
  say 'another start is setting up; waiting for it'
  flock -w "$SETUP_WAIT" 9 && return 0
  say "another start has been setting up for $((SETUP_WAIT / 60)) minutes; end it, and start again"
  exit 2
}
unlock_setup() {
  lock_depth=$((lock_depth - 1))
  [ "$lock_depth" = 0 ] || return 0
  trap - INT
  exec 9<&-
}
lock_depth=0

# logged COMMAND…: runs it with everything that it says in the log alone; `said` prints that of the last one.
logged() {
  { printf '\n== %s: %s\n' "$(date '+%F %T')" "$*" >>"$setup_log"; } 2>/dev/null
  logged_from=$(wc -c <"$setup_log")
  "$@" >>"$setup_log" 2>&1 </dev/null 9<&-
}
said() { tail -c "+$((logged_from + 1))" "$setup_log"; }
