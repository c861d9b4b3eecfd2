# Programs outside npm; sourced by setup.sh. Packages come in groups by what needs them: one that cannot be had takes
# nothing from the others. Without apt the programs are named, and the service goes on without them.

REPORT_PACKAGES='texlive-xetex texlive-latex-recommended texlive-fonts-recommended fonts-noto-core
  fonts-noto-cjk fonts-symbola fonts-dejavu-core fontconfig bubblewrap poppler-utils'
BROWSER_PACKAGES='chromium-headless-shell chromium-sandbox'
TEST_PACKAGES='postgresql mariadb-server-core bind9 bind9-utils swift-proxy swift-account swift-container swift-object
  memcached redis-server mosquitto nginx-light openssh-server openssh-client rsync vsftpd openssl unzip apache2-bin
  libapache2-mod-security2 modsecurity-crs xz-utils rpm php-cli python3-packaging curl wget jq caddy samba
  lighttpd haproxy php-cgi php-sqlite3 adminer python3-flask prometheus-node-exporter icecast2 etcd-server docker-registry monit
  nats-server transmission-daemon beanstalkd'
LONG_TEST_PACKAGES='debootstrap'

# What is told at the end of setup_programs.
lacking=''
lacking_for=''

# setup_programs GROUP…: report, browser, tests, long. Never ends a start.
setup_programs() {
  local group
  for group in "$@"; do
    # shellcheck disable=SC2086
    case "$group" in
      report) install_packages 'PDF reports' $REPORT_PACKAGES ;;
      browser) install_packages 'checks in a real browser' $BROWSER_PACKAGES ;;
      tests) install_packages 'tests on real servers' $TEST_PACKAGES ;;
      long) install_packages 'tests on bare systems' $LONG_TEST_PACKAGES ;;
    esac || true
  done
  [ -n "$lacking" ] || return 0
  say "not installed: what is needed for $lacking_for. Going on without. An administrator can install it:"
  say "  apt-get update && apt-get install --no-install-recommends$lacking"
}
lack() {
  lacking_for="${lacking_for:+$lacking_for, and for }$1"
  shift
  lacking="$lacking $*"
}

# What of $@ is not installed.
missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^.i' || printf '%s ' "$package"
  done
}

# install_packages WHY PACKAGE…: installs what is missing, or adds it to what is told at the end. Fails when something
# is still missing.
install_packages() {
  local why=$1 first=$2 missing
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    lack_programs "$why" "$@"
    return
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086
  if [ "$(id -u)" != 0 ] || ! open_setup_folder || is_known_unavailable "$first" $missing || [ "${apt_is_away-}" = 1 ]; then
    lack "$why" $missing
    return 1
  fi
  lock_setup
  missing=$(missing_packages "$@")
  # shellcheck disable=SC2086
  [ -z "$missing" ] || apt_install_for "$why" "$first" $missing || true
  unlock_setup
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086
  lack "$why" $missing
  return 1
}

# No Debian: what is there is seen by the programs' names.
lack_programs() {
  local why=$1 program programs=''
  shift
  case "$why" in
    'PDF reports') programs='xelatex bwrap pdfinfo' ;;
    'checks in a real browser') programs='chromium-headless-shell' ;;
    *) programs='' ;;
  esac
  for program in $programs; do
    command -v "$program" >/dev/null && continue
    lack "$why" "$@"
    return 1
  done
  [ -n "$programs" ] && return 0
  lack "$why" "$@"
  return 1
}

# What the system's lists do not know is asked for again after a day; what failed for a reason that passes, such as
# the network or a lock, at the next start.
is_known_unavailable() {
  local record="$setup_folder/unavailable-$1" package
  [ -n "$(find "$record" -mtime -1 2>/dev/null)" ] || return 1
  shift
  for package in "$@"; do grep -qxF -- "$package" "$record" || return 1; done
}

APT_BUSY='^E: Could not get lock\|locked by another process'
APT_AWAY="$APT_BUSY\\|^E: Failed to fetch\\|^E: Unable to fetch\\|Temporary failure resolving\\|Could not connect\\|Connection timed out"

is_apt_busy() { said | grep "$APT_BUSY" >/dev/null; }

# apt_install_for WHY GROUP PACKAGE…
apt_install_for() {
  local why=$1 record="$setup_folder/unavailable-$2" lists=old unknown known
  shift 2
  say "installing $# of Debian's packages, for $why; this can take minutes (tail -f $setup_log)"
  rm -f "$record"
  apt_get install "$@" && return 0
  if ! is_apt_busy; then
    say 'fetching the lists of Debian packages'
    apt_get update && lists=new
    apt_get install "$@" && return 0
  fi
  unknown=$(unknown_packages "$@")
  if [ -n "$unknown" ]; then
    known=$(printf '%s\n' "$@" | grep -vxF "$unknown")
    # shellcheck disable=SC2086
    [ -n "$known" ] && apt_get install $known && known=''
    if [ "$lists" = new ]; then
      say "not among this system's packages:" $unknown
      printf '%s\n' "$unknown" >"$record"
      [ -z "$known" ] && return 1
    fi
  fi
  say "apt-get failed; the next start tries again. What it said, of $setup_log:"
  said | grep '^[EW]:\|^Err:' | tail -n 4 >&2
  # The other groups would wait as long for the network or the lock, and for nothing.
  said | grep "$APT_AWAY" >/dev/null && apt_is_away=1
  return 1
}

# Which of $@ the last call of apt-get did not know.
unknown_packages() {
  local package
  for package in "$@"; do
    said | grep -xF -e "E: Unable to locate package $package" -e "E: Package '$package' has no installation candidate" \
      >/dev/null && printf '%s\n' "$package"
  done
  return 0
}

# apt_get VERB PACKAGE…: waits while another program (at a first start often the system's own updates) holds a lock, and
# mends what an interrupted installation left. RUNLEVEL=1: the tests start what they need by themselves; a package's own
# service is not started beside them. Who became root without a login has no sbin on the PATH, which dpkg needs.
apt_get() {
  local verb=$1 end=$((SECONDS + APT_WAIT)) told='' fixed='' PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
  shift
  until logged env LC_ALL=C DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get "$verb" -y -q --no-install-recommends \
    -o APT::Update::Error-Mode=any -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"; do
    if [ -z "$fixed" ] && said | grep '^E: dpkg was interrupted' >/dev/null; then
      fixed=1
      say 'an installation on this machine was interrupted; finishing it (dpkg --configure -a)'
      logged env LC_ALL=C DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 dpkg --configure -a && continue
    fi
    is_apt_busy || return 1
    if [ "$SECONDS" -ge "$end" ]; then
      say "another program has held apt's lock for $((APT_WAIT / 60)) minutes: $(said | grep -o 'held by process.*' | tail -n 1)"
      return 1
    fi
    [ -n "$told" ] || say "another program holds apt's lock; waiting for it, at most $((APT_WAIT / 60)) minutes"
    told=1
    sleep 2
  done
}
