import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { findProgram } from '../../src/platform/process/programs.ts'

/** A file system of its own, which can be filled and emptied, and taken the right to write. */
export interface SmallDisk {
  /** Where it is mounted. */
  path: string
  free: () => number
  /** Nothing but so many bytes stays free. */
  fill: (left: number) => void
  /** There is room again. */
  empty: () => void
}

const PROGRAMS = ['mount', 'umount', 'mkfs.ext4', 'fallocate']

/** Why none can be mounted here; null when one can. */
export const noSmallDisk = whyNot()

function whyNot(): string | null {
  const missing = PROGRAMS.find((name) => findProgram(name) === null)
  if (missing !== undefined) return `${missing} is not installed`
  if (process.getuid?.() !== 0) return 'only root may mount'
  const { image, path, folder } = made(8)
  try {
    execFileSync('mount', ['-o', 'loop', image, path], { stdio: 'ignore' })
    execFileSync('umount', ['-l', path])
    return null
  } catch {
    return 'nothing can be mounted here'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An ext4 of so many MiB in a file, gone with the test. Only where `noSmallDisk` is null. */
export function smallDisk(t: Pick<Test, 'teardown'>, mib: number): SmallDisk {
  const { image, path, folder } = made(mib)
  execFileSync('mount', ['-o', 'loop', image, path])
  t.teardown(() => {
    execFileSync('umount', ['-l', path])
    rmSync(folder, { recursive: true, force: true })
  })
  const free = (): number => {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    free,
    fill: (left) => {
      // A file written a moment ago has no blocks yet.
      execFileSync('sync', ['-f', path])
      for (let bytes = free() - left; bytes > 0; bytes = Math.floor(bytes * 0.99) - STEP)
        if (fits(bytes, ballast)) break
      if (left === 0) fillUp(join(path, 'ballast-rest'))
    },
    empty: () => {
      for (const name of [ballast, join(path, 'ballast-rest')]) rmSync(name, { force: true })
    }
  }
}

const STEP = 64 * 1024

/** The list of its blocks takes room too. */
function fits(bytes: number, path: string): boolean {
  try {
    execFileSync('fallocate', ['-l', String(bytes), path], { stdio: 'ignore' })
    return true
  } catch {
    rmSync(path, { force: true })
    return false
  }
}

/** To the last block. */
function fillUp(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}

function made(mib: number): { image: string; path: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-small-'))
  const [image, path] = [join(folder, 'image'), join(folder, 'disk')]
  mkdirSync(path)
  writeFileSync(image, '')
  truncateSync(image, mib * 1024 * 1024)
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image])
  return { image, path, folder }
}
