/** A folder as an archive whose bytes depend on nothing but its files. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Names in order, nobody's numbers, one time: tar's part of a build that can be repeated (reproducible-builds.org). */
export function tarOptions(madeAt: string): string[] {
  return ['--sort=name', '--format=gnu', `--mtime=${madeAt}`, '--owner=0', '--group=0', '--numeric-owner']
}

/**
 * Writes FOLDER as `file` (`.tar.xz`), with the folder's own name in front of each path. One thread of xz: several would cut the
 * archive by the number of processors. @throws Error when tar or xz fails
 */
export async function makeArchive(
  folder: string,
  file: string,
  options: { madeAt: string; level: number }
): Promise<void> {
  const how = [...tarOptions(options.madeAt), '-C', dirname(folder), '-cf', '-', basename(folder)]
  const tar = spawn('tar', how, { stdio: ['ignore', 'pipe', 'inherit'] })
  const xz = spawn('xz', [`-${options.level}`, '--threads=1', '--stdout'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = Promise.all([endOf('tar', tar), endOf('xz', xz)])
  await Promise.all([ended, pipeline(tar.stdout, xz.stdin), pipeline(xz.stdout, createWriteStream(file))])
}

function endOf(name: string, child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${name} cannot be run: ${error.message}`)))
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))))
  })
}

/** SHA-256 unless another is named, as hex digits. */
export async function hashOf(file: string, algorithm = 'sha256'): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** The moment of the newest change: SOURCE_DATE_EPOCH (reproducible-builds.org), else of the last commit, else the first of 2026. */
export function sourceDate(root: string, env: NodeJS.ProcessEnv): string {
  const seconds = env['SOURCE_DATE_EPOCH'] ?? lastCommit(root)
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`
}

const WITHOUT_GIT = '1767225600'

function lastCommit(root: string): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    }).trim()
  } catch {
    return WITHOUT_GIT
  }
}
