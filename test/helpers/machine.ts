import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from './process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND_MS = 60_000

/** The reason why no machine can be started here; false where one can. */
export function machineMissing(): string | false {
  if (process.getuid?.() !== 0) return 'a machine of systemd needs root'
  const programs = ['systemd-nspawn', 'nsenter', 'unshare', 'mount'].filter(
    (name) => spawnSync(name, ['--version']).error !== undefined
  )
  return programs.length === 0 ? false : `not installed: ${programs.join(', ')}`
}

export interface MachineOptions {
  /** Files of the machine, by path, that differ from those of this one; a function of the folder that is its root. */
  prepare: (root: string) => void
  /** Folders of this machine that the other one sees too, read only: from here, to there. */
  binds?: readonly (readonly [from: string, to: string])[]
  /** Units that are started with it. */
  units: readonly string[]
  /** Room for what it writes, in MB. */
  room?: number
}

export interface Outcome {
  status: number | null
  stdout: string
  stderr: string
}

/**
 * Another machine with a systemd of its own, as process 1 of its namespaces: the files of this one under a layer in memory, so that
 * nothing is installed or copied, and nothing stays. It has no network but its loopback. Cgroups are of version 2: without
 * limits of memory where this machine bounds by version 1, but with the rules for devices.
 */
export class Machine {
  readonly #nspawn: ChildProcess
  readonly #folder: string
  readonly #leader: number
  #console = ''

  private constructor(nspawn: ChildProcess, { folder, leader }: { folder: string; leader: number }) {
    this.#nspawn = nspawn
    this.#folder = folder
    this.#leader = leader
  }

  static async start({ prepare, binds = [], units, room = 512 }: MachineOptions): Promise<Machine> {
    const folder = mkdtempSync(join(tmpdir(), 'machine-'))
    const layer = join(folder, 'layer')
    // The mounts are those of this child: they go with it, however it ends.
    const script = `set -e; mkdir ${layer}; mount -t tmpfs -o size=${room}m,mode=755 tmpfs ${layer}; cd ${layer}; mkdir up work root
mount -t overlay overlay -o lowerdir=/,upperdir=up,workdir=work root
rm -rf root/etc/systemd/system/*.wants root/etc/machine-id; echo mounted; read -r go; exec "$@"`
    const nspawn = spawn(
      'unshare',
      [
        ...[
          '-m',
          '--propagation',
          'private',
          'sh',
          '-c',
          script,
          'sh',
          'systemd-nspawn',
          '-q',
          '-D',
          join(layer, 'root')
        ],
        ...[
          '--register=no',
          '--keep-unit',
          '--private-network',
          '--resolv-conf=off',
          '--timezone=off',
          '--link-journal=no'
        ],
        ...binds.map(([from, to]) => `--bind-ro=${realpathSync(from)}:${to}`),
        // systemd hands the rules for devices to the kernel as programs.
        ...['--capability=CAP_BPF,CAP_SYS_RESOURCE', '--system-call-filter=bpf'],
        ...['--console=pipe', '-b', '--', '--unit=test.target']
      ],
      { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' } }
    )
    let console = ''
    for (const stream of [nspawn.stdout, nspawn.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (console += text))
    try {
      await eventually('the layer is there', () => alive(nspawn, () => console) && console.includes('mounted'))
      const root = `/proc/${nspawn.pid}/root${join(layer, 'root')}`
      prepare(root)
      writeTarget(root, units)
      nspawn.stdin.end('go\n')
      let leader = 0
      await eventually('systemd runs', () => {
        leader = childOf(nspawn.pid ?? 0)
        return alive(nspawn, () => console) && leader > 0 && existsSync(`/proc/${leader}/root/run/systemd/private`)
      })
      const machine = new Machine(nspawn, { folder, leader })
      machine.#console = console
      return machine
    } catch (error) {
      nspawn.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** The text of its screen. */
  get console(): string {
    return this.#console
  }

  /** The folder of this machine under which its files are seen. */
  get root(): string {
    return `/proc/${this.#leader}/root`
  }

  /** The id of its first process, here. */
  get leader(): string {
    return String(this.#leader)
  }

  /** The id that one of its processes has here. @throws Error when there is none */
  outside(pid: string): number {
    const last = new RegExp(`^NSpid:\\s.*\\s${pid}$`, 'm')
    const space = readlinkSync(`/proc/${this.#leader}/ns/pid`)
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
      if (last.test(statusOf(name)) && spaceOf(name) === space) return Number(name)
    throw new Error(`process ${pid} of the machine is gone`)
  }

  /** Runs a command in it to its end, as root. */
  run(command: string, ...args: string[]): Outcome {
    const words = ['-t', String(this.#leader), '-m', '-u', '-i', '-n', '-p', '-C', '--', command, ...args]
    const { status, stdout, stderr } = spawnSync('nsenter', words, { encoding: 'utf8', timeout: COMMAND_MS })
    return { status, stdout, stderr }
  }

  /** A property of a unit, as systemd shows it. */
  show(unit: string, property: string): string {
    return this.run('systemctl', 'show', unit, '--property', property, '--value').stdout.trim()
  }

  /** An answer of a server in it; null while there is none. */
  async get(url: string): Promise<{ status: number; text: string } | null> {
    const { status, stdout } = this.run('curl', '-s', '-m', '5', '-w', '\n%{http_code}', url)
    const [, text = '', code = ''] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? []
    return status === 0 ? { status: Number(code), text } : null
  }

  journal(unit: string): string {
    return this.run('journalctl', '--no-pager', '-o', 'cat', '-u', unit).stdout
  }

  /** The plug. */
  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.#nspawn.once('exit', resolve))
    if (this.#nspawn.exitCode === null && this.#nspawn.signalCode === null) {
      killQuietly(this.#leader)
      const late = setTimeout(() => this.#nspawn.kill('SIGKILL'), 5000)
      await gone
      clearTimeout(late)
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Folders of the repository with the program as it is built from its sources now, and where a release has them. */
export function builtProgram(): [from: string, to: string][] {
  // One at a time: two test files may find it old at once.
  const words = ['package.json', process.execPath, 'scripts/ensure-build.js']
  const { status, stderr } = spawnSync('flock', words, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`not built: ${stderr}`)
  return PROGRAM.map((name) => [join(ROOT, name), `/opt/lookout/releases/test/${name}`])
}

const PROGRAM = ['deploy', 'dist', 'docs', 'gazetteer', 'node_modules', 'package.json', 'profiles', 'web']

function writeTarget(root: string, units: readonly string[]): void {
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'cat >"$0/etc/systemd/system/test.target" && ln -sf /dev/null "$0/etc/systemd/system/timers.target"', root],
    {
      input: `[Unit]\nRequires=basic.target\nAfter=basic.target\nAllowIsolate=yes\nWants=${units.join(' ')}\n`,
      encoding: 'utf8'
    }
  )
  if (status !== 0) throw new Error(`the target of the machine: ${stderr}`)
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    // It has just ended.
    return ''
  }
}

function spaceOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    // It has just ended.
    return ''
  }
}

function alive(child: ChildProcess, said: () => string): true {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the machine did not start: ${said()}`)
  return true
}

/** The first child of a process; 0 where there is none. */
function childOf(parent: number): number {
  const { stdout } = spawnSync('pgrep', ['-o', '-P', String(parent)], { encoding: 'utf8' })
  return Number(stdout.trim())
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
