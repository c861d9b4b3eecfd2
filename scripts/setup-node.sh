# Node 24 and the npm packages, by package-lock.json; sourced by setup.sh. The Node and the npm that a machine has are
# used to fetch two packages at most: npm of another Node leaves native packages out without a word.

CERTIFICATES=/etc/ssl/certs/ca-certificates.crt

# Nothing to do costs one checksum.
setup_node() {
  local package
  package=$(node_package) || { say "This machine is a $(uname -m); there is a Node for x86_64 and aarch64 only."; exit 2; }
  node="$home/node_modules/$package/bin/node"
  stamp="$home/node_modules/.sonde-setup"
  # npm ci empties what a link points to, which belongs to somebody else: a linked folder is used as it is.
  if [ -L "$home/node_modules" ]; then
    [ -x "$node" ] && return 0
    say 'node_modules is a link to a folder without Node 24. Set up that folder, or remove the link.'
    exit 2
  fi
  is_node_set_up && return 0
  if ! open_setup_folder; then
    say "The npm packages are not installed, and this user may not write in $home. Start it once as its owner."
    exit 2
  fi
  lock_setup
  is_node_set_up || install_npm_packages "$package"
  unlock_setup
}

is_node_set_up() { [ -x "$node" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(sha256sum <"$home/package-lock.json")" ]; }

# install_npm_packages NODE_PACKAGE: npm ci under Node 24; ends this start where that cannot be done.
install_npm_packages() {
  local tools="$setup_folder/tools" left_out PATH="$PATH:/usr/lib/apt"
  rm -f "$stamp"
  choose_npm_cache
  say "fetching Node $(locked "$1" version) and npm $(locked npm version)"
  fetch_locked "$1" "$tools/node" || exit 2
  fetch_locked npm "$tools/npm" || exit 2
  if ! logged "$tools/node/bin/node" --version; then
    say "Node $(locked "$1" version) does not run here (it needs glibc 2.28 and libstdc++): $(said | tail -n 1)"
    exit 2
  fi
  say 'installing the npm packages of package-lock.json, without their scripts'
  if ! logged npm_ci "$tools" && ! { said | grep -q ENOTEMPTY && install_once_more "$tools"; }; then
    say "npm ci failed; the next start tries again. Its last lines, of $setup_log:"
    said | grep -v '^$' | tail -n 8 >&2
    exit 2
  fi
  if ! left_out=$("$tools/node/bin/node" "$home/scripts/missing-packages.ts" "$home" 2>>"$setup_log"); then
    say "npm left out packages of package-lock.json that this machine needs (see $setup_log):" $left_out
    exit 2
  fi
  rm -rf "$tools"
  sha256sum <"$home/package-lock.json" >"$stamp"
}

# What still runs from here writes into the folder that npm takes away.
install_once_more() {
  say 'something that still runs has written there meanwhile; installing them once more'
  logged npm_ci "$1"
}

# A setting of the user or of the machine that leaves packages out (omit, production) does not count here.
npm_ci() (
  cd "$home" || exit
  export PATH="$1/node/bin:$PATH" NODE_ENV=''
  node "$1/npm/bin/npm-cli.js" ci --ignore-scripts --include=prod --include=dev --include=optional --include=peer \
    --no-audit --no-fund --no-update-notifier --loglevel=warn
)

# npm keeps what it fetched in the home folder; where that cannot be written, here.
choose_npm_cache() {
  local cache="${HOME-}/.npm/_cacache"
  [ -z "${npm_config_cache-}${NPM_CONFIG_CACHE-}" ] || return 0
  [ -d "${HOME-}" ] && mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] && return 0
  export npm_config_cache="$setup_folder/npm-cache"
}

# locked NAME FIELD: what package-lock.json says of the package that node_modules/NAME is.
locked() {
  sed -n "/^    \"node_modules\\/$1\": {\$/,/^    }/ s/^      \"$2\": \"\\([^\"]*\\)\",\\{0,1\\}\$/\\1/p" "$home/package-lock.json" |
    head -n 1
}

# fetch_locked NAME FOLDER: unpacks the locked version there once its checksum is the locked one. npm comes first, since
# it knows the registry that its user has set up.
fetch_locked() {
  local version file="$setup_folder/$1.tgz" way
  version=$(locked "$1" version)
  if command -v apt-get >/dev/null && ! [ -e "$CERTIFICATES" ]; then
    install_packages 'fetching by https' ca-certificates || true
  fi
  for way in npm curl wget apt-helper; do
    command -v "$way" >/dev/null || continue
    rm -f "$file"
    if ! logged "fetch_by_$way" "$1" "$version" "$file"; then
      say "$way could not fetch $1 $version: $(said | grep -v '^ *$\|complete log of this run\|_logs/' | tail -n 1)"
      continue
    fi
    if ! has_integrity "$file" "$(locked "$1" integrity)"; then
      say "$way brought a $1 $version with another checksum than package-lock.json has; it is not used"
      continue
    fi
    rm -rf "$2"
    mkdir -p "$2"
    if logged tar -xzf "$file" -C "$2" --strip-components=1 --no-same-owner; then
      rm -f "$file"
      return 0
    fi
    say "$1 could not be unpacked: $(said | tail -n 1)"
    return 1
  done
  say "Node cannot be fetched. One of npm, curl and wget has to reach $(registry); see $setup_log. The next start tries again."
  return 1
}

# has_integrity FILE INTEGRITY: the checksum is of the form of Subresource Integrity, "sha512-" and base64.
has_integrity() {
  [ -f "$1" ] && [ "$(sha512sum <"$1" | cut -d ' ' -f 1)" = \
    "$(printf '%s' "${2#sha512-}" | base64 -d | od -An -v -tx1 | tr -d ' \n')" ]
}

fetch_by_npm() (
  packed="$setup_folder/packed"
  rm -rf "$packed"
  mkdir -p "$packed"
  cd "$packed" || exit
  timeout 900 npm pack --loglevel=error "$1@$2" && mv -- *.tgz "$3" && rm -rf "$packed"
)
fetch_by_curl() { curl -fsSL --retry 2 --connect-timeout 20 --max-time 900 -o "$3" "$(registry)/$1/-/$1-$2.tgz"; }
fetch_by_wget() { wget -nv -T 20 -t 3 -O "$3" "$(registry)/$1/-/$1-$2.tgz"; }
# Every Debian has it, also one without curl and wget.
fetch_by_apt-helper() { apt-helper -o Acquire::Retries=2 download-file "$(registry)/$1/-/$1-$2.tgz" "$3"; }

# The registry that npm would ask.
registry() {
  local set="${npm_config_registry-${NPM_CONFIG_REGISTRY-}}"
  [ -n "$set" ] || set=$(sed -n 's/^ *registry *= *//p' "${HOME:-/nonexistent}/.npmrc" 2>/dev/null | tail -n 1)
  set=${set:-https://registry.npmjs.org}
  printf '%s' "${set%/}"
}
