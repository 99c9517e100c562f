import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { eventually, readyLine } from './process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Nothing that is typed outlives its test, however the test ends. */
const MOST_SECONDS = 110
/** Folders of the checkout that a newcomer has, beside what each test adds. */
const LINKED = ['dist', 'scripts', 'node_modules']

export interface Said {
  code: number | null
  stdout: string
  stderr: string
}

/** A command that goes on: a station. */
export interface Typed {
  child: ChildProcess
  said: () => Said
  ended: Promise<Said>
  /** Ends it and everything it started. */
  stop: () => Promise<Said>
}

/**
 * Somebody at a terminal in a fresh folder of the installation, with the built program. `lookout` and `node dist/lookout.js` are that program; `sudo` is
 * whoever runs the tests, since nothing that is typed here needs another's rights.
 */
export class Newcomer {
  readonly folder: string
  readonly env: Record<string, string>

  constructor(t: Pick<Test, 'teardown'>) {
    this.folder = mkdtempSync(join(tmpdir(), 'lookout-newcomer-'))
    t.teardown(() => rmSync(this.folder, { recursive: true, force: true }))
    for (const name of LINKED) symlinkSync(join(ROOT, name), this.path(name))
    cpSync(join(ROOT, 'package.json'), this.path('package.json'))
    cpSync(join(ROOT, 'docs/examples'), this.path('docs/examples'), { recursive: true })
    mkdirSync(this.path('bin'))
    this.#program('lookout', `exec '${process.execPath}' '${join(ROOT, 'dist/lookout.js')}' "$@"`)
    this.#program('sudo', '[ "$1" != -u ] || shift 2\nexec "$@"')
    // A pager whose output is no terminal passes it on; not every machine has one.
    this.#program('less', 'exec cat "$@"')
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(?:LOOKOUT_|NODE_OPTIONS$|TAP|INVOCATION_ID$|npm_)/.test(name)
    )
    this.env = {
      ...Object.fromEntries(inherited),
      PATH: `${this.path('bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: this.folder,
      USER: String(process.getuid?.()),
      LC_ALL: 'C',
      RUNTIME_DIRECTORY: '/dev/null',
      LOOKOUT_HTTP_PORT: '0',
      npm_config_update_notifier: 'false'
    }
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  #program(name: string, script: string): void {
    this.write(`bin/${name}`, `#!/bin/sh\n${script}\n`)
    chmodSync(this.path(`bin/${name}`), 0o755)
  }

  /** Begins a command; it ends with the test at the latest. */
  begin(t: Pick<Test, 'teardown'>, command: string): Typed {
    const words = ['-k', '5', String(MOST_SECONDS), 'bash', '-euc', command]
    const child = spawn('timeout', words, { cwd: this.folder, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const text = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (more: string) => (text[stream] += more))
    const said = (): Said => ({ code: child.exitCode, ...text })
    const ended = new Promise<Said>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', () => resolve(said()))
    })
    const stop = (): Promise<Said> => {
      // timeout passes it on to the whole group.
      child.kill('SIGTERM')
      return ended
    }
    t.teardown(stop)
    return { child, said, ended, stop }
  }

  /** Types a command and waits for its end. */
  type(t: Pick<Test, 'teardown'>, command: string): Promise<Said> {
    return this.begin(t, command).ended
  }
}

/** Waits for the ready line of a station that was typed. @throws Error with all it said where it ends before */
export async function addressOf(typed: Typed): Promise<string> {
  const ready = await eventually('the ready line', () => {
    const said = typed.said()
    if (typed.child.exitCode !== null) throw new Error(`it ended: ${JSON.stringify(said)}`)
    return readyLine(said.stdout)
  })
  return ready.url
}
