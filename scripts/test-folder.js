// The folder in which tests keep their files: in memory where there is room, because most of what a test with a
// database waits for, and some of what it costs, is the disk.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NAME = 'lookout-tests-'
const MOST_BYTES = 2 ** 30

/** Containers give it 64 MB, and some systems run no program from it, which tests do. */
function isFit() {
  try {
    const [, , , options] = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY) ?? [null, null, null, 'noexec']
    const { bavail, bsize } = statfsSync(MEMORY)
    return !options.split(',').some((option) => option === 'noexec' || option === 'ro') && bavail * bsize >= MOST_BYTES
  } catch {
    return false
  }
}

/** A folder of this run alone: gone when the run ends; what a killed run left goes with the next one. TMPDIR decides where it is set. */
export function testFolder() {
  const base = process.env.TMPDIR === undefined && isFit() ? MEMORY : tmpdir()
  for (const name of readdirSync(base))
    if (name.startsWith(NAME) && !isAlive(name.slice(NAME.length).split('-')[0])) remove(join(base, name))
  mkdirSync(base, { recursive: true })
  const folder = mkdtempSync(join(base, `${NAME}${process.pid}-`))
  process.once('exit', () => remove(folder))
  return folder
}

/** Somebody may still write there, or a disk be mounted there, for tests that were killed: what stays goes with a later run. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    // Whatever the reason, which Node 24 gives without a code: no run fails for what another left.
    console.error(`${folder} stays: ${error.message}`)
  }
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
