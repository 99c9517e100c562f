/** The package for Debian of a release: its folder, the files of deploy/ in their places, and what dpkg runs. Made without root. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Architecture } from '../src/platform/release/release.ts'
import { hashOf } from './pack-archive.ts'

const DEBIAN: Record<Architecture, string> = { arm64: 'arm64', x64: 'amd64' }

export interface DebOptions {
  arch: Architecture
  version: string
  madeAt: string
  /** Of xz. */
  level: number
}

export function debName({ arch, version }: Pick<DebOptions, 'arch' | 'version'>): string {
  return `lookout_${version}_${DEBIAN[arch]}.deb`
}

/**
 * Makes the package of an unpacked release beside it. @throws Error when dpkg-deb is missing or fails
 */
export async function makeDeb(release: string, file: string, options: DebOptions): Promise<void> {
  const tree = `${file}.tree`
  rmSync(tree, { recursive: true, force: true })
  const opt = join(tree, 'opt/lookout')
  mkdirSync(join(opt, 'releases'), { recursive: true })
  cpSync(release, join(opt, 'releases', options.version), { recursive: true })
  symlinkSync(`releases/${options.version}`, join(opt, 'current'))
  placeFiles(join(release, 'deploy'), tree)
  mkdirSync(join(tree, 'usr/bin'), { recursive: true })
  symlinkSync('/opt/lookout/current/bin/lookout', join(tree, 'usr/bin/lookout'))
  write(join(tree, 'etc/default/lookout'), DEFAULTS)
  write(join(tree, 'usr/share/doc/lookout/copyright'), copyright(release))
  const bytes = filesBelow(tree).reduce((sum, path) => sum + statSync(path).size, 0)
  await writeControl(tree, options, Math.ceil(bytes / 1024))
  setTimes(tree, options.madeAt)
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', '-Zxz', `-z${options.level}`, '--threads-max=1', '--build', tree, file],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(Date.parse(options.madeAt) / 1000) }
    }
  )
  rmSync(tree, { recursive: true })
}

/** Lines of one's own: dpkg asks before it changes them. */
const DEFAULTS = `# Lines LOOKOUT_…=… for the station: /opt/lookout/current/docs/configuration.md. Without LOOKOUT_PROFILE (minimal_pi,
# regional_pi, home) the memory of the board decides.
#LOOKOUT_PROFILE=regional_pi
`

/** The place that a file of deploy/ names in its first line; null for those that are used where they lie. As install.sh reads it. */
export function placeOf(text: string): string | null {
  const [, place] = /^(?:#!.*\n)?# (\/usr\/lib\/[A-Za-z0-9/._@-]*[A-Za-z0-9])/.exec(text) ?? []
  return place ?? null
}

function placeFiles(deploy: string, tree: string): void {
  for (const path of filesBelow(deploy)) {
    const place = placeOf(readFileSync(path, 'utf8'))
    if (place === null) continue
    mkdirSync(dirname(join(tree, place)), { recursive: true })
    cpSync(path, join(tree, place))
  }
}

function copyright(release: string): string {
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: lookout
Comment: Node and the packages that lie beside the program keep their own licences: /opt/lookout/current/licences/.

Files: *
Copyright: the authors of Lookout
License: MIT
${readFileSync(join(release, 'LICENSE'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => ` ${line.trim() || '.'}`)
  .join('\n')}
`
}

async function writeControl(tree: string, { arch, version }: DebOptions, kilobytes: number): Promise<void> {
  const folder = join(tree, 'DEBIAN')
  const sums: string[] = []
  for (const path of filesBelow(tree)) sums.push(`${await hashOf(path, 'md5')}  ${relative(tree, path)}\n`)
  write(
    join(folder, 'control'),
    `Package: lookout
Version: ${version}
Architecture: ${DEBIAN[arch]}
Maintainer: Lookout <lookout@localhost>
Installed-Size: ${kilobytes}
Depends: systemd (>= 252), libc6 (>= 2.34), libstdc++6 (>= 11)
Recommends: bubblewrap, s6, poppler-utils, tesseract-ocr
Suggests: network-manager, dnsmasq-base, nftables, kiwix-tools
Section: net
Priority: optional
Description: hazard warnings for LoRa meshes
 Watches hazard feeds, tags each event with the regions it touches, and routes
 it to channels of Meshtastic and MeshCore; keeps a library that answers offline.
 Brings its own Node.
`
  )
  write(join(folder, 'conffiles'), '/etc/default/lookout\n')
  write(join(folder, 'md5sums'), sums.join(''))
  for (const [name, text] of Object.entries(SCRIPTS)) {
    write(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
}

/** Each may run twice, on a machine that systemd runs and, while an image is made, on one that it does not. */
const SCRIPTS: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
systemd-sysusers /usr/lib/sysusers.d/lookout.conf
systemctl -q enable lookout.service lookout-hotspot.service lookout-hotspot.path lookout-claim.path lookout-claim.service lookout-first-boot.service lookout-update.path lookout-update.service lookout-board.path lookout-board.service lookout-stick.service
[ -d /run/systemd/system ] || exit 0
systemd-tmpfiles --create /usr/lib/tmpfiles.d/lookout.conf
udevadm control --reload || true
systemctl daemon-reload
# It says how releases come here; the station reads that when it starts.
systemctl -q start lookout-update.service || true
# A station that cannot start must not leave the package half installed: systemd tries it again, and says why.
systemctl restart lookout.service || echo 'lookout does not run; why: journalctl -u lookout -n 50' >&2
systemctl -q restart lookout-hotspot.path lookout-claim.path lookout-update.path lookout-board.path || true
# Of a hotspot that is on, who puts its rules back is the one of this release; the rules stay while it starts. Where it is off, nothing starts.
systemctl -q restart lookout-hotspot-rules.service || true
# It says that it is there. An upgrade leaves the hotspot alone: whoever upgrades may hang on it.
[ -n "$2" ] || systemctl -q start --no-block lookout-hotspot.service || true
`,
  prerm: `#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
[ ! -d /run/systemd/system ] || systemctl -q stop lookout-hotspot.path lookout-hotspot.service lookout-claim.path lookout-update.path lookout-board.path lookout-stick.service lookout-sandbox.socket lookout-sandbox.service lookout.service || true
# Without a wish the hotspot is switched off: access point, names and rules would stay until the next start of the machine.
[ ! -d /run/systemd/system ] || LOOKOUT_HOTSPOT_WISH=/nonexistent /opt/lookout/current/deploy/hotspot/lookout-hotspot || true
systemctl -q disable lookout.service lookout-hotspot.service lookout-hotspot.path lookout-claim.path lookout-claim.service lookout-first-boot.service lookout-update.path lookout-update.service lookout-board.path lookout-board.service lookout-stick.service || true
`,
  postrm: `#!/bin/sh
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload || true
[ "$1" = purge ] || exit 0
rm -rf /var/lib/lookout /var/backups/lookout /opt/lookout /run/lookout /var/lib/lookout-update
! getent passwd lookout >/dev/null || userdel lookout
`
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Files, without links and what is for dpkg. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).startsWith('DEBIAN/'))
    .sort()
}

/** dpkg-deb takes over what is newer than the time of the source only: modes and times are the same whoever packs. */
function setTimes(tree: string, madeAt: string): void {
  const time = new Date(madeAt)
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, entry.isDirectory() || (statSync(path).mode & 0o100) !== 0 ? 0o755 : 0o644)
    utimesSync(path, time, time)
  }
  chmodSync(tree, 0o755)
}
