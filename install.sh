#!/bin/sh
# Installs Lookout from the unpacked bundle it lies in, on Debian 12 or 13 or Raspberry Pi OS of 64 bits; needs no network.
# Run again it brings what is there up to date. docs/operator.md, "Install".
set -u
LC_ALL=C TMPDIR=/tmp
export LC_ALL TMPDIR
umask 022

usage() {
  cat <<'EOF'
usage: sudo ./install.sh [options]

Installs this bundle, or brings an installed Lookout to it. A new release that does not come up healthy is taken back by itself.

  --profile NAME   minimal_pi, regional_pi or home; proposed by the board's memory where none is chosen yet
  --yes            ask nothing: take what is proposed, keep data
  --dry-run        say what would be done, and do nothing
  --new-key        take a bundle whose signature the installed release does not know (a change of keys)
  --no-backup      upgrade without a backup of the data before it
  --rollback       go back to the release before this one
  --uninstall      remove the program; asks about the data. With --yes they stay
  --purge          with --uninstall: remove data, backups, settings and the user too

exit codes: 0 done · 1 failed, nothing is left half done · 2 wrong usage · 3 this machine or this bundle will not do · 5 the new release was not healthy: the one before it runs
EOF
}

say() { printf '%s\n' "$*"; }
fail() { # exit code, what is wrong
  code=$1
  shift
  printf 'install.sh: %s\n' "$*" >&2
  exit "$code"
}
# Every change goes through it, so that a dry run changes nothing.
run() {
  if [ "$dry" = 1 ]; then say "would run: $*"; else "$@"; fi
}
must() { run "$@" || fail 1 "failed: $*"; }

here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
opt=/opt/lookout
data=/var/lib/lookout
backups=/var/backups/lookout
defaults=/etc/default/lookout
placed=$opt/placed
SETTLE_S=${LOOKOUT_SETTLE_S:-10}
dry=0 yes=0 new_key=0 backup=1 action=install purge=0 profile=

while [ $# -gt 0 ]; do
  case $1 in
    --profile) profile=${2-} && shift ;;
    --profile=*) profile=${1#*=} ;;
    --yes) yes=1 ;;
    --dry-run) dry=1 ;;
    --new-key) new_key=1 ;;
    --no-backup) backup=0 ;;
    --rollback) action=rollback ;;
    --uninstall) action=uninstall ;;
    --purge) purge=1 ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done
case $profile in '' | minimal_pi | regional_pi | home) ;; *) fail 2 "--profile $profile: minimal_pi, regional_pi or home" ;; esac
[ "$purge" = 0 ] || [ "$action" = uninstall ] || fail 2 '--purge goes with --uninstall'

# A question with a default; without somebody to answer it is the default.
ask() { # question, default
  if [ "$yes" = 1 ] || [ ! -t 0 ]; then
    answer=$2
  else
    printf '%s [%s] ' "$1" "$2" >&2
    read -r answer || answer=
    answer=${answer:-$2}
  fi
}

check_machine() {
  [ "$dry" = 1 ] || [ "$(id -u)" = 0 ] || fail 3 'run it as root: sudo ./install.sh (or look first: ./install.sh --dry-run)'
  if dpkg-query -W -f '${db:Status-Status}' lookout 2>/dev/null | grep -qx installed; then
    fail 3 'the package lookout is installed: use apt and dpkg'
  fi
  [ -d /run/systemd/system ] || fail 3 'this machine is not run by systemd'
}

check_system() {
  [ -r "$here/manifest.json" ] || fail 3 "$here is no bundle: unpack lookout-VERSION-linux-ARCH.tar.xz and run the install.sh in it"
  version=$(field version) arch=$(field arch)
  case $(dpkg --print-architecture 2>/dev/null || uname -m) in
    arm64 | aarch64) machine=arm64 ;;
    amd64 | x86_64) machine=x64 ;;
    armhf) fail 3 'this system has 32 bits: flash the 64-bit Raspberry Pi OS (every board from the Zero 2 W on runs it)' ;;
    *) machine=other ;;
  esac
  [ "$machine" = "$arch" ] || fail 3 "this bundle is for $arch, and the machine is none"
  id= release=
  [ ! -r /etc/os-release ] || release=$(. /etc/os-release && printf '%s %s' "${ID-}" "${VERSION_ID-}")
  case $release in
    'debian 12' | 'debian 13' | 'raspbian 12' | 'raspbian 13') ;;
    *) say "Not tried on this system (${release:-unknown}): Debian 12 and 13 and Raspberry Pi OS are." ;;
  esac
  free=$(df -Pm "$(dirname $opt)" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge 400 ] || fail 3 "$(dirname $opt) has $free MB free, 400 are needed"
}

field() { sed -n "s/^ \"$1\": \"\\(.*\\)\",\$/\\1/p" "$here/manifest.json"; }
digest() { sha256sum "$1/manifest.json" | cut -c1-64; }

# The installed release judges what follows it; the first one can only say that it is whole.
check_signature() {
  if [ -x $opt/current/bin/lookout ] && [ "$new_key" = 0 ]; then
    judge=$opt/current by='the release that is installed'
  else
    judge=$here by='its own key: compare it with the one you were told'
  fi
  said=$("$judge/bin/lookout" verify-bundle "$here") || fail 3 "the bundle is not taken (checked by $by)"
  say "Bundle $version for $arch is whole, by $by: $(printf '%s' "$said" | sed 's/.*"key":"\([^"]*\)".*/\1/')"
  case $said in *'"development":true'*) say 'It is signed with a key made for development: not for the field.' ;; esac
}

board() {
  model=$(tr -d '\000' 2>/dev/null </proc/device-tree/model) || model=$(cat /sys/class/dmi/id/product_name 2>/dev/null)
  printf '%s' "${model:-a board without a name}"
}

# By the same rule as at each start of the board.
choose_profile() {
  chosen=$(sed -n 's/^LOOKOUT_PROFILE=["'\'']\{0,1\}\([a-z_]*\).*/\1/p' $defaults 2>/dev/null | tail -1)
  folder=$(mktemp -d) || fail 1 'no room in /tmp'
  LOOKOUT_DEFAULTS=/nonexistent sh "$here/deploy/systemd/lookout-profile" "$folder"
  proposed=$(sed -n 's/.*LOOKOUT_PROFILE=\([a-z_]*\).*/\1/p' "$folder/lookout.service.d/10-profile.conf")
  rm -r "$folder"
  memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
  say "This is $(board) with $memory MB of memory: the profile for it is $proposed."
  if [ -z "$profile" ]; then
    if [ -n "$chosen" ]; then
      profile=$chosen
    else
      ask 'Profile (minimal_pi, regional_pi, home)?' "$proposed"
      profile=$answer
    fi
  fi
  case $profile in minimal_pi | regional_pi | home) ;; *) fail 2 "there is no profile $profile" ;; esac
  [ "$profile" = "$chosen" ] && return
  changed=1
  if [ "$dry" = 1 ]; then
    say "would write: LOOKOUT_PROFILE=$profile to $defaults"
  elif [ -n "$chosen" ]; then
    sed -i "s/^LOOKOUT_PROFILE=.*/LOOKOUT_PROFILE=$profile/" $defaults
  else
    printf '# Lines LOOKOUT_…=… for the station: docs/configuration.md.\nLOOKOUT_PROFILE=%s\n' "$profile" >>$defaults
  fi
}

# Each file of deploy/ names its place in its first line; those that do not are used where they lie.
place_of() { sed -n '1,2s|^# \(/usr/lib/[A-Za-z0-9/._@-]*[A-Za-z0-9]\).*|\1|p' "$1" | head -n 1; }

place_files() {
  list=$(mktemp) || fail 1 'no room in /tmp'
  find "$here/deploy" -type f | LC_ALL=C sort | while read -r file; do
    to=$(place_of "$file")
    [ -n "$to" ] && printf '%s %s\n' "$to" "$file"
  done >"$list"
  printf '/usr/bin/lookout -\n' >>"$list"
  while read -r to file; do
    if [ "$file" = - ]; then
      [ "$(readlink "$to")" = $opt/current/bin/lookout ] || { changed=1 && must ln -sfn $opt/current/bin/lookout "$to"; }
    elif ! cmp -s "$file" "$to"; then
      changed=1
      mode=644
      [ ! -x "$file" ] || mode=755
      must install -D -m "$mode" "$file" "$to"
    fi
  done <"$list"
  # What an older release placed and this one does not.
  if [ -r $placed ]; then
    while read -r to; do
      grep -q "^$to " "$list" || must rm -f "$to"
    done <$placed
  fi
  [ "$dry" = 1 ] || cut -d' ' -f1 "$list" >$placed
  rm -f "$list"
}

tell_system() {
  must systemd-sysusers /usr/lib/sysusers.d/lookout.conf
  must systemd-tmpfiles --create /usr/lib/tmpfiles.d/lookout.conf
  must systemctl daemon-reload
  for unit in $(units); do run systemctl -q enable "$unit" || fail 1 "$unit cannot be enabled"; done
  # Where there is no hardware, as in a container, none of these can be told; the next start of the machine does it.
  run udevadm control --reload 2>/dev/null || true
  run systemctl -q restart systemd-modules-load.service 2>/dev/null || true
  for unit in lookout-hotspot.path lookout-claim.path lookout-update.path lookout-board.path; do run systemctl -q restart "$unit" 2>/dev/null || true; done
}

# Its program is that of the release that runs, so not before one does. It says that it is there, and the station reads that when it starts.
# Where it has said so before it may be the one that runs this: nobody waits for it then.
tell_updates() {
  if [ -e /var/lib/lookout-update/state ]; then
    run systemctl -q start --no-block lookout-update.service 2>/dev/null || true
  else
    run systemctl -q start lookout-update.service 2>/dev/null || true
  fi
}

# Who puts the rules of a hotspot back is of the release that runs, and so are the rules; while it starts anew those that are loaded stay, so
# no guest loses anything. Where the hotspot is off its unit starts nothing; a release before it has no such program.
tell_hotspot() {
  [ "$dry" = 1 ] || [ -x $opt/current/deploy/hotspot/lookout-hotspot-rules ] || return 0
  run systemctl -q restart lookout-hotspot-rules.service 2>/dev/null || true
}

units() {
  for file in "$here"/deploy/systemd/*; do
    if [ -n "$(place_of "$file")" ] && grep -q '^\[Install\]' "$file"; then basename "$file"; fi
  done
}

# Complete under its name, or not there: a power cut leaves a folder that is made anew.
copy_release() {
  name=$version
  if [ -d $opt/releases/"$name" ] && [ "$(digest $opt/releases/"$name")" != "$(digest "$here")" ]; then
    name=$version+$(digest "$here" | cut -c1-8)
  fi
  [ "$here" != $opt/releases/"$name" ] && [ ! -d $opt/releases/"$name" ] || return 0
  changed=1
  say "Copying release $name"
  must mkdir -p $opt/releases
  must rm -rf "$opt/releases/.new"
  must cp -r --preserve=mode,timestamps "$here" $opt/releases/.new
  must chown -R root:root $opt/releases/.new
  must sync -f $opt/releases
  must mv -T $opt/releases/.new $opt/releases/"$name"
  must sync -f $opt/releases
}

point() { # link, what it points at
  must ln -sfn "$2" $opt/".$1.new"
  must mv -T $opt/".$1.new" $opt/"$1"
}

has_data() { [ -n "$(ls -A $data 2>/dev/null)" ]; }

back_up() {
  [ "$backup" = 1 ] && has_data || return 0
  say "Backing up $data to $backups"
  must install -d -m 700 -o lookout -g lookout $backups
  run runuser -u lookout -- env LOOKOUT_DATA=$data $opt/current/bin/lookout backup $backups --keep 3 >/dev/null ||
    fail 1 'the data could not be backed up, so nothing was changed: make room, or --no-backup'
}

# systemd waits for the station to say that it is ready. Then it has to stay so, and to answer.
healthy() {
  [ "$dry" = 1 ] && say 'would run: systemctl restart lookout, and see that it is healthy' && return 0
  systemctl reset-failed lookout.service 2>/dev/null
  systemctl restart lookout.service 2>/dev/null || return 1
  pid=$(property MainPID)
  sleep "$SETTLE_S"
  [ "$(property ActiveState)" = active ] && [ "$(property MainPID)" = "$pid" ] || return 1
  port=$(journalctl -q -o cat -u lookout.service "_PID=$pid" | sed -n 's|^lookout ready http://.*:\([0-9]*\) .*|\1|p' | tail -n 1)
  [ -n "$port" ] || return 0
  $opt/current/bin/node -e "fetch('http://127.0.0.1:$port/api/health', { signal: AbortSignal.timeout(10000) })
    .then((answer) => process.exit(answer.ok ? 0 : 1), (error) => { console.error(error.message); process.exit(1) })"
}

property() { systemctl show lookout.service -p "$1" --value; }

# The database may have been brought forward, so that the older program refuses it: then the backup takes its place.
go_back() { # to this release
  say "Going back to $(basename "$1")"
  point current "$1"
  healthy && return
  [ -d $backups ] || return 1
  say 'It does not take the data as they are now: restoring the backup'
  systemctl stop lookout.service
  rm -rf $data.restored
  $opt/current/bin/lookout restore $backups --data $data.restored >/dev/null || return 1
  chown -R lookout:lookout $data.restored
  mv -T $data "$data.not-taken-$(date -u +%Y%m%dT%H%M%SZ)" && mv -T $data.restored $data || return 1
  healthy
}

remove_older() {
  for folder in $opt/releases/*; do
    case releases/$(basename "$folder") in
      "$(readlink $opt/current)" | "$(readlink $opt/previous)") ;;
      *) [ ! -d "$folder" ] || must rm -rf "$folder" ;;
    esac
  done
}

install_release() {
  check_system
  check_signature
  changed=0
  choose_profile
  before=$(readlink $opt/current 2>/dev/null)
  copy_release
  [ -z "$before" ] || [ "$before" = releases/"$name" ] || back_up
  must mkdir -p $opt
  place_files
  tell_system
  if [ "$before" = releases/"$name" ] && [ "$changed" = 0 ] && [ "$(property ActiveState)" = active ]; then
    tell_updates
    say "Release $name runs already: nothing to do."
    return
  fi
  [ "$before" = releases/"$name" ] || point current releases/"$name"
  tell_updates
  if ! healthy; then
    [ -n "$before" ] && [ "$before" != releases/"$name" ] || fail 1 'it does not run; why: journalctl -u lookout -n 50'
    journalctl -q -o cat -n 10 -u lookout.service >&2
    go_back "$before" || fail 1 "release $name was not healthy, and the one before it is not either: journalctl -u lookout"
    rm -rf $opt/releases/"$name"
    fail 5 "release $name was not healthy: $(basename "$before") runs again"
  fi
  tell_hotspot
  [ -z "$before" ] || [ "$before" = releases/"$name" ] || point previous "$before"
  [ "$dry" = 1 ] || remove_older
  say "Release $name runs with the profile $profile. The claim code for the first sign-in: sudo journalctl -u lookout | grep claim"
}

roll_back() {
  to=$(readlink $opt/previous) || fail 3 'there is no release before this one'
  now=$(readlink $opt/current)
  go_back "$to" || fail 1 'the release before this one is not healthy: journalctl -u lookout'
  point previous "$now"
  tell_hotspot
  say "$(basename "$to") runs."
}

uninstall() {
  [ -d $opt ] || fail 3 'Lookout is not installed here'
  if [ "$purge" = 0 ]; then
    ask "Remove the data ($data), the backups ($backups), the settings and the user too?" no
    case $answer in y | yes) purge=1 ;; esac
  fi
  run systemctl -q stop lookout-hotspot.path 2>/dev/null || true
  # Without a wish it is switched off: access point, names and rules would stay until the next start of the machine.
  if [ -x $opt/current/deploy/hotspot/lookout-hotspot ]; then run env LOOKOUT_HOTSPOT_WISH=/nonexistent $opt/current/deploy/hotspot/lookout-hotspot || true; fi
  for unit in lookout-hotspot.path lookout-hotspot.service lookout-claim.path lookout-claim.service lookout-first-boot.service lookout-update.path lookout-update.service lookout-board.path lookout-board.service lookout-stick.service lookout.service; do run systemctl -q disable --now "$unit" 2>/dev/null || true; done
  run systemctl -q stop lookout-sandbox.socket lookout-sandbox.service 2>/dev/null || true
  if [ -r $placed ]; then while read -r to; do must rm -f "$to"; done <$placed; fi
  must rm -rf $opt /var/lib/lookout-update
  must systemctl daemon-reload
  if [ "$purge" = 1 ]; then
    must rm -rf $data $backups $defaults /run/lookout
    if getent passwd lookout >/dev/null; then must userdel lookout; fi
    say 'Lookout is removed, with its data.'
  else
    say "Lookout is removed; the data stay in $data, the backups in $backups, the settings in $defaults."
  fi
}

check_machine
case $action in
  install) install_release ;;
  rollback) roll_back ;;
  uninstall) uninstall ;;
esac
