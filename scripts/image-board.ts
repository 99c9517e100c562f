/** An emulated board for the scripts that start an image: docs/decisions/0040-the-image.md, 0053-cut-power-after-the-event.md. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const CARD_BYTES = 4_000_000_000
/** Where scripts/image-layout begins the boot partition. */
export const BOOT_AT = '@@4M'
export const STATION_NAME = 'Emulated Hill'
/** Three radios: the hotspot's, and two phones. */
const WORDS =
  'root=LABEL=lookout-root ro rootwait net.ifnames=0 console=ttyAMA0 panic=10 systemd.debug_shell=ttyAMA0 modules_load=mac80211_hwsim mac80211_hwsim.radios=3'
/** An emulated board on a busy machine may take 14 s, the watchdog's, for a step, and more than 90 s to find its card. */
const PATIENT = 'systemd.watchdog_sec=0 systemd.default_device_timeout_sec=900'
/** Where programs of the image see this machine, and where they see the station: QEMU's network for a user. */
export const HOST_SEEN = '10.0.2.2'
export const CABLE = '10.0.2.15'

/** A control sequence, which a shell sends the terminal besides its words (ECMA-48, CSI). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one
const CONTROL = /\u001b\[[?\d;]*[A-Za-z]/g

/** systemd tells the console how the start goes on, also in the middle of an answer. */
const STATUS = /^(?:\[[ A-Z]{6}\] | {9}[A-Z][a-z]+ing ).*\n?/gm

export interface BoardOptions {
  /** Where `vmlinuz` and `initrd.img` are. */
  folder: string
  /** MB */
  memory: number
  /** Of this machine, led to the station. */
  port: number
  /** Seconds until a start counts as failed. */
  limit: number
  /** A folder for log.img. */
  log?: string | undefined
  /** A file that the board has as its second disk, not to be written. */
  tools?: string | undefined
}

/** A board of QEMU (-M virt, Cortex-A53) with its card in it. */
export class Board {
  readonly #o: BoardOptions
  readonly #card: string
  #qemu: ChildProcessWithoutNullStreams | null = null
  console = ''

  constructor(card: string, options: BoardOptions) {
    this.#card = card
    this.#o = options
  }

  start(): void {
    const { folder, memory, port, log, tools } = this.#o
    const qemu = spawn('qemu-system-aarch64', [
      ...['-M', 'virt', '-cpu', 'cortex-a53', '-smp', '2', '-m', String(memory), '-display', 'none', '-no-reboot'],
      ...['-kernel', join(folder, 'vmlinuz'), '-initrd', join(folder, 'initrd.img'), '-append', `${WORDS} ${PATIENT}`],
      ...driveOf(this.#card, log),
      ...['-device', 'virtio-blk-pci,drive=card', '-device', 'virtio-rng-pci'],
      ...(tools === undefined
        ? []
        : [
            ...['-drive', `file=${tools},if=none,id=tools,format=raw,readonly=on`],
            ...['-device', 'virtio-blk-pci,drive=tools']
          ]),
      ...['-netdev', `user,id=cable,hostfwd=tcp:127.0.0.1:${port}-:8080`],
      ...['-device', 'virtio-net-pci,netdev=cable,romfile=', '-monitor', 'none', '-serial', 'stdio']
    ])
    for (const stream of [qemu.stdout, qemu.stderr])
      stream.on('data', (bytes: Buffer) => {
        this.console += bytes.toString('latin1')
        appendFileSync(`${this.#card}.console`, bytes)
      })
    this.#qemu = qemu
  }

  /** Seconds until the station answers. @throws Error when it does not within the limit, with the end of the console */
  async healthy(): Promise<number> {
    const { port, limit } = this.#o
    const begun = performance.now()
    const seconds = (): number => (performance.now() - begun) / 1000
    while (seconds() < limit) {
      if (this.#isGone()) break
      const answer = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(5000) }).catch(
        (error: unknown) => {
          if (error instanceof Error) return null
          throw error
        }
      )
      if (answer?.ok === true) return Math.round(seconds())
      await answer?.body?.cancel()
      await pause(500)
    }
    throw new Error(`no answer within ${Math.round(seconds())} s; the console ended:\n${this.console.slice(-4000)}`)
  }

  /** The output of a command, by the shell on the serial console. @throws Error when it takes more than `seconds` */
  async ask(command: string, seconds = 300): Promise<string> {
    const mark = `mark${Math.random().toString(36).slice(2)}`
    const from = this.console.length
    // The marks in two parts: the terminal repeats what is typed.
    this.#qemu?.stdin.write(`\necho ${mark}"-begin"; ( ${command} ) 2>&1; echo ${mark}"-end"\n`)
    const until = performance.now() + seconds * 1000
    const said = (): string => this.console.slice(from)
    while (!said().includes(`${mark}-end`)) {
      if (performance.now() > until || this.#isGone())
        throw new Error(`no end of "${command}"; the console ended:\n${this.console.slice(-2000)}`)
      await pause(200)
    }
    const [, output = ''] = said().split(`${mark}-begin`)
    return (output.split(`${mark}-end`)[0] ?? '')
      .replaceAll(CONTROL, '')
      .replaceAll(/\r*\n/g, '\n')
      .replaceAll(STATUS, '')
      .trim()
  }

  /** Asks the station, by the cable. */
  async call(method: string, path: string, { token, body }: { token?: string; body?: object } = {}): Promise<Response> {
    const headers = {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` })
    }
    return await fetch(`http://127.0.0.1:${this.#o.port}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000)
    })
  }

  /** Gives the station a document, by the cable. @throws Error when it is not taken */
  async upload(name: string, bytes: Buffer, token: string): Promise<{ hash: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.#o.port}/api/upload?filename=${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${token}` },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(120_000)
    })
    if (answer.status !== 201) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { hash: string }
  }

  /** One that a signal ended has no exit code. */
  #isGone(): boolean {
    return this.#qemu === null || this.#qemu.exitCode !== null || this.#qemu.signalCode !== null
  }

  /** The power is cut: nothing of it is asked. */
  async cut(): Promise<void> {
    const qemu = this.#qemu
    if (qemu === null || this.#isGone()) return
    const gone = new Promise((done) => qemu.once('exit', done))
    qemu.kill('SIGKILL')
    await gone
  }
}

/** With a log, QEMU notes each write and flush before it makes it: docs/decisions/0053. */
function driveOf(card: string, log: string | undefined): string[] {
  if (log === undefined) return ['-drive', `file=${card},if=none,id=card,format=raw,cache=writeback`]
  const logged = `driver=blklogwrites,node-name=card,file=raw,log.driver=file,log.filename=${join(log, 'log.img')},log-sector-size=512`
  const file = ['-blockdev', `driver=file,node-name=file,filename=${card}`]
  return [...file, '-blockdev', 'driver=raw,node-name=raw,file=file', '-blockdev', logged]
}

/** A copy of the image of `folder`, as large as a card of 4 GB, with a set-up file that somebody filled in. Answers its path. */
export function makeCard(folder: string, work: string, setup: string): string {
  const card = join(work, 'card.img')
  execFileSync('cp', ['--sparse=always', join(folder, 'lookout.img'), card])
  truncateSync(card, CARD_BYTES)
  const file = join(work, 'lookout-setup.txt')
  writeFileSync(file, setup)
  execFileSync('mcopy', ['-o', '-i', `${card}${BOOT_AT}`, file, '::lookout-setup.txt'])
  return card
}

export async function nameOf(board: Board): Promise<string> {
  const answer = await board.call('GET', '/api/first-run')
  const { station } = (await answer.json()) as { station?: { name?: string } }
  return station?.name ?? ''
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
