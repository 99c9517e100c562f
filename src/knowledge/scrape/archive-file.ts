import { link, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode, syncFolder } from '../../platform/files/atomic-file.ts'
import { exitReason } from '../../platform/process/exit.ts'
import { findProgram } from '../../platform/process/programs.ts'
import { EMPTY, runBounded } from '../../platform/process/run.ts'
import type { ScrapeJob } from './job.ts'

const HOST_LENGTH = 60
const MIB = 1024 * 1024
/** File systems without hard links (FAT). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
const CHECK_MS = 60 * 60_000

/** `<host>_<lang>_<YYYY-MM>.zim`; from the second try on with the job's number in it, then with a counter too. */
export function archiveNameOf({ id, url, language }: ScrapeJob, now: number, attempt: number): string {
  const { hostname, port } = new URL(url)
  const host = `${hostname}${port === '' ? '' : `-${port}`}`.replace(/[^a-z0-9.-]/gi, '-').slice(0, HOST_LENGTH)
  const [first = 'und', ...others] = language.split(',')
  const month = new Date(now).toISOString().slice(0, 7)
  const more = attempt === 0 ? '' : attempt === 1 ? `_${id}` : `_${id}-${attempt}`
  return `${host}_${others.length === 0 ? first : 'mul'}_${month}${more}.zim`
}

/** True when the file is there. */
export async function isThere(path: string): Promise<boolean> {
  return (await facts(path)) !== null
}

/**
 * Gives the archive its place without ever replacing a file; `planned` is told the name before. After a power cut the file is
 * at one place or the other, whole. Answers the name.
 */
export async function placeArchive(
  from: string,
  {
    zimFolder,
    nameOf,
    planned
  }: { zimFolder: string; nameOf: (attempt: number) => string; planned: (name: string) => void }
): Promise<string> {
  await syncFile(from)
  for (let attempt = 0; attempt < 1000; attempt++) {
    const name = nameOf(attempt)
    const to = join(zimFolder, name)
    if (await isThere(to)) continue
    planned(name)
    if (await moveWithoutReplacing(from, to)) {
      await syncFolder(dirname(to))
      return name
    }
  }
  throw new AppError('conflict', because('too_many_archives_of_site'))
}

async function moveWithoutReplacing(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    if (!NO_LINKS.has(errorCode(error))) throw error
    await rename(from, to)
    return true
  }
  await unlink(from)
  return true
}

async function facts(path: string): Promise<{ size: number } | null> {
  try {
    const { size } = await stat(path)
    return { size }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** @throws AppError `bad-input` when zimcheck, where it is installed, finds the archive damaged. */
export async function checkArchive(path: string, signal: AbortSignal): Promise<void> {
  if (findProgram('zimcheck') === null) return
  const { code, stdout, stderr } = await runBounded({
    command: 'zimcheck',
    // Checks that it is whole; links that lead nowhere are the site's own business.
    args: ['--checksum', '--integrity', path],
    cwd: EMPTY,
    reads: [path],
    limits: { timeMs: CHECK_MS, memoryBytes: 768 * MIB, outputBytes: 4 * MIB },
    signal
  })
  if (code === 0) return
  const text = `${stdout.toString('utf8')}\n${stderr}`.match(/\[ERROR\].*/)?.[0]
  const said = text === undefined ? exitReason(code) : because('note', { text: text.slice(0, 200) })
  throw new AppError('bad-input', because('archive_made_damaged', { said }))
}
