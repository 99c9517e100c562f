import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { type Confinement, probeConfinement } from '../../src/platform/process/confinement.ts'
import { findProgram } from '../../src/platform/process/programs.ts'
import { eventually } from './process.ts'

const PROGRAM = fileURLToPath(new URL('../../deploy/systemd/lookout-sandbox', import.meta.url))

export interface SandboxHere {
  means: Confinement
  socket: string
}

/** The sandbox of lookout-sandbox.service, listening below a folder of the test and ending with it; null where its programs are not installed. */
export async function startSandbox(t: Pick<Test, 'teardown' | 'comment'>): Promise<SandboxHere | null> {
  const socket = await sandboxSocket(t)
  return socket === null ? null : { means: await probeConfinement({ ...process.env, LOOKOUT_SANDBOX: socket }), socket }
}

/** Its socket alone; `path` is put before the PATH of its programs. */
export async function sandboxSocket(t: Pick<Test, 'teardown' | 'comment'>, path = ''): Promise<string | null> {
  const server = findProgram('s6-ipcserver')
  if (server === null || findProgram('bwrap') === null) {
    t.comment('skipped: s6 or bubblewrap is not installed')
    return null
  }
  // Names of sockets are short: 107 bytes.
  const folder = mkdtempSync(join('/tmp', 'lookout-sandbox-'))
  const socket = join(folder, 's')
  const child = spawn(server, ['-a', '0600', socket, 's6-sudod', 'setpriv', '--pdeathsig', 'TERM', PROGRAM, 'run'], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, PATH: [path, process.env['PATH'] ?? ''].filter(Boolean).join(':') }
  })
  t.teardown(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await eventually('the sandbox listens', () => existsSync(socket))
  return socket
}
