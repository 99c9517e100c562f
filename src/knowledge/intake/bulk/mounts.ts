import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorCode } from '../../../platform/files/atomic-file.ts'
import { namesIn } from '../../../platform/files/names-in.ts'

/** One line of `/proc/self/mountinfo` (proc(5)). */
export interface Mount {
  /** `8:1`. */
  device: string
  point: string
  /** `vfat`, `ext4` … */
  type: string
  /** `/dev/sda1`. */
  source: string
}

/** The files of the kernel and of udev that tell of disks; tests have their own. */
export interface DiskFiles {
  mountinfo: string
  /** `/sys`. */
  sys: string
  /** `/dev/disk/by-label`. */
  labels: string
  /** `/dev/disk/by-uuid`. */
  uuids: string
}

export const DISK_FILES: DiskFiles = {
  mountinfo: '/proc/self/mountinfo',
  sys: '/sys',
  labels: '/dev/disk/by-label',
  uuids: '/dev/disk/by-uuid'
}

/** Everything that is mounted, as this process sees it: what its unit hides from it is not there. */
export async function mounts({ mountinfo }: Pick<DiskFiles, 'mountinfo'> = DISK_FILES): Promise<Mount[]> {
  return parseMounts(await readFile(mountinfo, 'utf8'))
}

/** The later of two mounts at one point is the one that is seen. */
export function parseMounts(text: string): Mount[] {
  const found = new Map<string, Mount>()
  for (const line of text.split('\n')) {
    const [left = '', right = ''] = line.split(' - ')
    const [, , device, , point] = left.split(' ')
    const [type, source] = right.split(' ')
    if (device === undefined || point === undefined || type === undefined || source === undefined) continue
    found.set(unescaped(point), { device, point: unescaped(point), type, source: unescaped(source) })
  }
  return [...found.values()]
}

/** Blanks and the like stand as `\040`. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** The mount that a path lies on. */
export function mountOf(path: string, all: readonly Mount[]): Mount | null {
  let best: Mount | null = null
  for (const mount of all) {
    const below = mount.point === '/' ? '/' : `${mount.point}/`
    const holds = path === mount.point || path.startsWith(below)
    if (holds && (best === null || mount.point.length > best.point.length)) best = mount
  }
  return best
}

/** The facts of a disk, as the kernel and udev say them. */
export interface DiskFacts {
  /** It can be pulled out: the kernel says so, or it hangs on USB. */
  removable: boolean
  /** Of its file system; empty: it has none, or nobody says. */
  label: string
  /** Of its file system; by it a disk is known again. */
  uuid: string
}

export async function diskFacts(device: string, files: DiskFiles = DISK_FILES): Promise<DiskFacts> {
  const name = await nameOf(device, files.sys)
  if (name === null) return { removable: false, label: '', uuid: '' }
  const [label, uuid] = await Promise.all([linkTo(files.labels, name.node), linkTo(files.uuids, name.node)])
  return { removable: await isRemovable(name.path), label, uuid }
}

/** Partitions of disks that can be pulled out, and are mounted nowhere that this process sees. */
export async function unmountedDisks(all: readonly Mount[], files: DiskFiles = DISK_FILES): Promise<DiskFacts[]> {
  const mounted = new Set(all.map(({ device }) => device))
  const found: DiskFacts[] = []
  for (const disk of await namesIn(join(files.sys, 'class/block'))) {
    const folder = join(files.sys, 'class/block', disk)
    const device = await lineOf(join(folder, 'dev'))
    // A whole disk with partitions is not what would be mounted.
    const parts = (await readdir(folder)).filter((name) => name.startsWith(disk))
    if (device === '' || mounted.has(device) || parts.length > 0) continue
    const facts = await diskFacts(device, files)
    if (facts.removable && facts.uuid !== '') found.push(facts)
  }
  return found
}

async function nameOf(device: string, sys: string): Promise<{ path: string; node: string } | null> {
  try {
    const path = await realpath(join(sys, 'dev/block', device))
    return { path, node: basename(path) }
  } catch (error) {
    if (errorCode(error) === '') throw error
    // Network folders and those of memory have no disk.
    return null
  }
}

async function isRemovable(path: string): Promise<boolean> {
  if (/\/usb\d+\//.test(path)) return true
  const [own, parent] = await Promise.all([lineOf(join(path, 'removable')), lineOf(join(path, '../removable'))])
  return own === '1' || parent === '1'
}

async function lineOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) === '') throw error
    return ''
  }
}

/** The name of the link in a folder of udev that leads to this node; udev writes signs as `\x20`. */
async function linkTo(folder: string, node: string): Promise<string> {
  try {
    for (const name of await readdir(folder))
      if (basename(await readlink(join(folder, name))) === node)
        return name.replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  } catch (error) {
    if (errorCode(error) === '') throw error
  }
  return ''
}
