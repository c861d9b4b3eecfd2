#!/usr/bin/env bash
# Bare Debian systems in a folder, to try `run` and `test` as a newcomer on a stock machine. For root, on Debian.
#   root.sh base RELEASE CACHE               a bare system in CACHE/RELEASE, by debootstrap; nothing to do when it is there
#   root.sh copy FROM FOLDER                 a system of its own from that one
#   root.sh enter HOW FOLDER CACHE COMMAND   runs COMMAND there by bash, in namespaces that end with it
# $ROOT_REGISTRY is the npm registry in there, in place of the one that this machine asks. HOW is `root`, `user` (uid 1000, no sudo), `container` (root with the capabilities that containers have, and no user
# namespaces) or `user-container`. What the machine's apt and npm need to reach their registries comes along; no key does.
set -euo pipefail

# Whom Debian's first ordinary user is.
UID_OF_USER=1000
CONTAINER_CAPABILITIES=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap

base() {
  local release=$1 cache=$2 folder="$2/$1" mirror
  mkdir -p "$cache"
  exec 8>"$cache/$release.lock"
  flock -w 1800 8
  [ -e "$folder/.complete" ] && return 0
  rm -rf "$folder"
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -m 1 '/debian/$' || true)
  debootstrap --variant=minbase --include=ca-certificates "$release" "$folder" "${mirror:-http://deb.debian.org/debian}" \
    >"$cache/$release.log" 2>&1 8>&- || { tail -n 5 "$cache/$release.log" >&2; return 1; }
  # How this machine reaches Debian's packages: proxies, clocks, certificates.
  apt-config dump | grep -E '^Acquire::(http|https|Check-)' >"$folder/etc/apt/apt.conf.d/99machine" || true
  cp -L /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/ca-certificates.crt"
  find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$folder/usr/local/share/ca-certificates/" \;
  chroot "$folder" useradd --create-home --uid "$UID_OF_USER" --shell /bin/bash newcomer
  : >"$folder/.complete"
}

copy() {
  rm -rf "$2"
  cp -a --reflink=auto "$1" "$2"
}

# Inside a mount and a PID namespace of its own.
inside() {
  local how=$1 folder=$2 cache=$3
  shift 3
  cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"
  mount --bind "$folder" "$folder"
  mount -t proc proc "$folder/proc"
  mount -t sysfs -o ro sysfs "$folder/sys"
  mount -t tmpfs -o mode=755 tmpfs "$folder/dev"
  local device
  for device in null zero full random urandom tty; do
    : >"$folder/dev/$device"
    mount --bind "/dev/$device" "$folder/dev/$device"
  done
  ln -s /proc/self/fd "$folder/dev/fd"
  ln -s /proc/self/fd/0 "$folder/dev/stdin"
  ln -s /proc/self/fd/1 "$folder/dev/stdout"
  ln -s /proc/self/fd/2 "$folder/dev/stderr"
  mkdir "$folder/dev/pts" "$folder/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$folder/dev/pts"
  ln -s pts/ptmx "$folder/dev/ptmx"
  mount -t tmpfs -o mode=1777 tmpfs "$folder/dev/shm"
  local archives
  archives="$cache/archives-$(sed -n 's/^VERSION_CODENAME=//p' "$folder/etc/os-release")"
  mkdir -p "$cache/npm" "$archives"
  chown -R "$UID_OF_USER" "$cache/npm"
  chmod -R a+rwX "$cache/npm"
  mkdir -p "$folder/cache"
  mount --bind "$cache/npm" "$folder/cache"
  mount --bind "$archives" "$folder/var/cache/apt/archives"
  mkdir -p "$folder/var/cache/apt/archives/partial"

  local registry=${ROOT_REGISTRY-}
  [ -n "$registry" ] || registry=$(npm config get registry 2>/dev/null || true)
  local environment=(env -i SONDE_FEEDS=off PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
    npm_config_cache=/cache "npm_config_registry=${registry:-https://registry.npmjs.org/}"
    npm_config_cafile=/etc/ssl/certs/ca-certificates.crt NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt)
  local user=(HOME=/home/newcomer setpriv "--reuid=$UID_OF_USER" "--regid=$UID_OF_USER" --clear-groups)
  # The kernel makes no user namespace for who lives in a chroot; after pivot_root it does.
  case "$how" in
    root) pivoted "$folder" "${environment[@]}" HOME=/root bash -c "$*" ;;
    user) pivoted "$folder" "${environment[@]}" "${user[@]}" bash -c "$*" ;;
    container) exec setpriv "--bounding-set=$CONTAINER_CAPABILITIES" chroot "$folder" "${environment[@]}" HOME=/root bash -c "$*" ;;
    user-container) exec chroot "$folder" "${environment[@]}" "${user[@]}" bash -c "$*" ;;
    *) echo "unknown: $how" >&2; return 2 ;;
  esac
}

pivoted() {
  cd "$1"
  shift
  mkdir -p .old-root
  pivot_root . .old-root
  umount -l /.old-root
  exec "$@"
}

case "$1" in
  base | copy) "$@" ;;
  enter)
    shift
    exec unshare --mount --propagation private --pid --fork --kill-child --mount-proc "$0" inside "$@"
    ;;
  inside) "$@" ;;
  *) echo 'root.sh base | copy | enter' >&2; exit 2 ;;
esac
