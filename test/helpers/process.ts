import { type ChildProcess, spawn } from 'node:child_process'
import type { Test } from 'tap'
import { runnable } from './runnable.ts'

const OWN = runnable('src/main.ts')
/** Ends the child when this process is gone, however it went: no test leaves a program behind. */
export const GUARD = `data:text/javascript,${encodeURIComponent('process.on("disconnect", () => process.kill(process.pid, "SIGKILL")); process.channel?.unref()')}`
const READY = /^lookout ready (http:\/\/\S+) profile=(\S+) radios=(\S+) pid=(\d+)$/m
/** The machine may be busy with other tests. */
const PATIENCE_MS = 60_000

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface LaunchOptions {
  /** Arguments behind the program's name. */
  args: readonly string[]
  /** Beside a clean environment: nothing of the caller's LOOKOUT_ variables gets through. */
  env?: Record<string, string>
  cwd?: string
  /** The bundled program instead of the sources. */
  program?: string
  /** Words before the command: a network of its own, as `unshare --net`. They must become the program, not start it. */
  prefix?: readonly string[]
}

/** One run of the program: its output so far, its end, and ways to end it. */
export class Launched {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''
  #over = false
  readonly #listeners = new Set<() => void>()

  constructor({ args, env = {}, cwd, program, prefix = [] }: LaunchOptions) {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(LOOKOUT_|NODE_OPTIONS$|TAP|INVOCATION_ID$)/.test(name)
    )
    const code = program === undefined ? [...OWN.flags, OWN.file] : [program]
    const [command = '', ...words] = [...prefix, process.execPath, `--import=${GUARD}`, ...code, ...args]
    this.child = spawn(command, words, {
      // Whatever language the machine speaks: tests read English. No verb finds a station it was not told of.
      env: { ...Object.fromEntries(inherited), LC_ALL: 'C', RUNTIME_DIRECTORY: '/dev/null', ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe', 'ipc']
    })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#took('stdout', text))
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#took('stderr', text))
    // A program that ended before it read everything is a case of its own, not a failure of the test.
    this.child.stdin?.on('error', () => undefined)
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject)
      this.child.once('close', (exitCode, signal) => {
        this.#over = true
        resolve({ code: exitCode, signal, stdout: this.stdout, stderr: this.stderr })
        this.#tell()
      })
    })
  }

  get over(): boolean {
    return this.#over
  }

  #took(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] += text
    this.#tell()
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  /** Resolves once `found` answers something; rejects with all output when the program ends before or takes too long. */
  until<T>(what: string, found: () => T | null | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#listeners.delete(look)
      }
      const fail = (why: string): void => {
        done()
        reject(new Error(`${what}: ${why}\nstdout: ${this.stdout}\nstderr: ${this.stderr}`))
      }
      const look = (): void => {
        const value = found()
        if (value !== null && value !== undefined && value !== false) {
          done()
          resolve(value)
        } else if (this.#over) fail('the program ended before')
      }
      const timer = setTimeout(() => fail(`not within ${PATIENCE_MS / 1000} s`), PATIENCE_MS)
      this.#listeners.add(look)
      look()
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  /** SIGTERM, and how it ended. */
  stop(): Promise<Ended> {
    this.signal('SIGTERM')
    return this.ended
  }

  /** SIGKILL: no time for anything. Resolves when the process is gone. */
  kill(): Promise<Ended> {
    this.signal('SIGKILL')
    return this.ended
  }
}

/** A run that ends with the test at the latest. */
export function launch(t: Pick<Test, 'teardown'>, options: LaunchOptions): Launched {
  const launched = new Launched(options)
  t.teardown(() => launched.kill())
  return launched
}

/** Runs a verb to its end. */
export function run(
  t: Pick<Test, 'teardown'>,
  args: readonly string[],
  { stdin = '', ...options }: Omit<LaunchOptions, 'args'> & { stdin?: string } = {}
): Promise<Ended> {
  const launched = launch(t, { ...options, args })
  launched.child.stdin?.end(stdin)
  return launched.ended
}

export interface Answer<T> {
  status: number
  headers: Headers
  text: string
  /** Of the shape the test expects; null when the answer is not JSON. */
  json: T
}

/** A program whose port answers. */
export interface Running {
  launched: Launched
  url: string
  readyLine: string
  get: <T = unknown>(path: string) => Promise<Answer<T>>
  /** A text is sent as it is, everything else as JSON. */
  post: <T = unknown>(path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer<T>>
}

/** The ready line of contract §12, taken apart; null while it has not come. */
export function readyLine(stdout: string): { line: string; url: string; radios: string; pid: number } | null {
  const [line = '', url = '', , radios = '', pid = ''] = READY.exec(stdout) ?? []
  return line === '' ? null : { line, url, radios, pid: Number(pid) }
}

/** Waits for the ready line of a program that serves. */
export async function running(launched: Launched): Promise<Running> {
  const { line, url } = await launched.until('the ready line', () => readyLine(launched.stdout))
  return {
    launched,
    url,
    readyLine: line,
    get: (path) => ask(`${url}${path}`),
    post: (path, body, headers = {}) =>
      ask(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body)
      })
  }
}

/** Starts `lookout start` on any free port of this machine and waits until it answers. */
export function startLookout(
  t: Pick<Test, 'teardown'>,
  data: string,
  { args = [], ...options }: Partial<LaunchOptions> = {}
): Promise<Running> {
  return running(launch(t, { ...options, args: ['start', '--port', '0', '--data', data, ...args] }))
}

async function ask<T>(url: string, init: RequestInit = {}): Promise<Answer<T>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: (isJson && text !== '' ? JSON.parse(text) : null) as T
  }
}

/** Asks again until the answer is something; for what no output tells. */
export async function eventually<T>(
  what: string,
  found: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patienceMs = PATIENCE_MS
): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const value = await found()
    if (value !== null && value !== undefined && value !== false) return value
    if (Date.now() > deadline) throw new Error(`${what}: not within ${patienceMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}

/** The JSON values of a text with one a line. */
export function ndjson<T = Record<string, unknown>>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
