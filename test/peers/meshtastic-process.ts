import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { systemClock } from '../../src/platform/clock/clock.ts'
import { MeshtasticNode } from './meshtastic-node.ts'
import type { NodeFaults, NodeOptions } from './meshtastic-options.ts'
import { positionPayload } from './meshtastic-wire.ts'

/**
 * A Meshtastic node as a process of its own: TCP, a serial port made with socat, commands on stdin, what happens on stdout.
 * It ends by Ctrl-C, SIGTERM, `quit`, the end of a terminal's input, or when nobody reads its output; in the background it goes on.
 */

export interface ProcessOptions {
  /** TCP port, 0 for any; null for none. */
  port: number | null
  host: string
  /** The path at which the serial port is to appear; null for none. */
  pty: string | null
  node: Omit<NodeOptions, 'clock' | 'onEvent'>
}

export const COMMANDS = `Commands, one JSON object a line on stdin:
  {"fault":{"silent":true}}                    see NodeFaults: loseQueueStatus, loseAck, garbage (hex), halfFrame, slowMs, refuseResult,
                                               refuseError, lateError, swallow, dutyCycle, duplicate, ackMs, silent, unreachable, lossyHandshake
  {"text":{"from":77,"text":"hello","channel":1}}   a text from another node (to, id, rxTime, pki, publicKey as well)
  {"mend":true}                                nothing is wrong with the node any more
  {"change":{"region":0}}                      settings, seen by the next handshake: region, preset, txEnabled, channels, neighbours;
                                               airtimeMs from the next text on
  {"reboot":3000}                              the node restarts and is away for so many ms
  {"drop":true}                                ends the connection
  {"second_client":true}                       somebody else connects and takes the radio
  {"unplug":true}  {"plug":true}               the serial port goes, and comes back
  {"position":{"from":77,"lat":43.5,"lon":-114.3}}   another node tells where it is
  {"notify":"message"}  {"telemetry":{"batteryLevel":50}}  {"raw":"hex"}  {"quit":true}`

interface Command {
  fault?: NodeFaults
  mend?: boolean
  text?: Parameters<MeshtasticNode['incoming']>[0]
  change?: Parameters<MeshtasticNode['change']>[0]
  reboot?: number
  drop?: boolean
  second_client?: boolean
  unplug?: boolean
  plug?: boolean
  notify?: string
  telemetry?: Parameters<MeshtasticNode['telemetry']>[0]
  position?: { from: number; lat: number; lon: number }
  raw?: string
  quit?: boolean
}

/** The port of positions. */
const POSITION = 3

type Say = (event: Record<string, unknown>) => void

export async function runPeer({ port, host, pty, node: nodeOptions }: ProcessOptions): Promise<void> {
  const say: Say = (event) => void process.stdout.write(`${JSON.stringify(event)}\n`)
  const node = new MeshtasticNode({
    transport: pty === null ? 'tcp' : 'serial',
    ...nodeOptions,
    clock: systemClock,
    onEvent: say
  })
  const server = port === null ? null : await listen(node, port, host)
  const serial = pty === null ? null : new SerialSide(node, pty)
  await serial?.plug()
  const address = server?.address()
  say({
    event: 'listening',
    ...(typeof address === 'object' && address !== null ? { host, port: address.port } : {}),
    ...(pty === null ? {} : { pty })
  })
  const quit = (): void => {
    node.stop()
    serial?.unplug()
    server?.close()
    process.exit(0)
  }
  process.stdout.once('error', quit)
  process.once('SIGTERM', quit)
  process.once('SIGINT', quit)
  // A terminal that is taken away is an end like any other.
  process.stdin.on('error', () => undefined)
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    try {
      await obey(JSON.parse(line) as Command, { node, serial, quit })
      say({ event: 'done', command: line })
    } catch (error) {
      say({ event: 'not done', reason: String(error), command: line })
    }
  }
  if (process.stdin.isTTY) quit()
  say({
    event: 'stdin closed',
    message: `no more commands can come; the node goes on until Ctrl-C or SIGTERM (pid ${process.pid})`
  })
}

async function obey(
  command: Command,
  { node, serial, quit }: { node: MeshtasticNode; serial: SerialSide | null; quit: () => void }
): Promise<void> {
  if (command.mend) node.mend()
  if (command.fault) node.fault(command.fault)
  if (command.text) node.incoming(command.text)
  if (command.change) node.change(command.change)
  if (command.reboot !== undefined) node.reboot(command.reboot)
  if (command.drop) node.drop()
  if (command.second_client) node.attach({ write: () => undefined, close: () => undefined })
  if (command.unplug) serial?.unplug()
  if (command.plug) await serial?.plug()
  if (command.notify !== undefined) node.notify(command.notify)
  if (command.telemetry) node.telemetry(command.telemetry)
  if (command.position) node.packet(command.position.from, POSITION, positionPayload(command.position))
  if (command.raw !== undefined) node.raw(Buffer.from(command.raw, 'hex'))
  if (command.quit) quit()
}

async function listen(node: MeshtasticNode, port: number, host: string): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => serve(node, socket))
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

function serve(node: MeshtasticNode, socket: Socket): void {
  socket.on('error', () => socket.destroy())
  try {
    const client = node.attach({ write: (bytes) => void socket.write(bytes), close: () => void socket.end() })
    socket.on('data', (bytes) => client.received(bytes))
    socket.on('close', () => client.closed())
  } catch {
    // Unreachable on purpose: the connection is taken and closed at once, as a node does that is starting.
    socket.destroy()
  }
}

/** The node's end of a serial line: socat holds the master side, the program under test opens the slave side at `path`. */
class SerialSide {
  readonly #node: MeshtasticNode
  readonly #path: string
  #socat: ChildProcess | null = null
  #held: number | null = null

  constructor(node: MeshtasticNode, path: string) {
    this.#node = node
    this.#path = path
  }

  async plug(): Promise<void> {
    const socat = spawn('socat', ['-d', '-d', `pty,raw,echo=0,link=${this.#path}`, 'STDIO'], {
      stdio: ['pipe', 'pipe', 'pipe']
    })
    this.#socat = socat
    let log = ''
    await new Promise<void>((resolve, reject) => {
      socat.once('error', reject)
      socat.once('exit', () => reject(new Error(`socat ended: ${log}`)))
      socat.stderr.on('data', (bytes: Buffer) => {
        log += bytes.toString()
        if (log.includes('starting data transfer loop')) resolve()
      })
    })
    // While somebody holds it open, a client that closes it does not end the terminal, as with a USB device.
    this.#held = openSync(this.#path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
    socat.stdin.on('error', () => undefined)
    const client = this.#node.attach({ write: (bytes) => void socat.stdin.write(bytes), close: () => undefined })
    socat.stdout.on('data', (bytes: Buffer) => client.received(bytes))
    socat.once('exit', () => client.closed())
  }

  unplug(): void {
    if (this.#held !== null) closeSync(this.#held)
    this.#held = null
    this.#socat?.kill('SIGTERM')
    this.#socat = null
  }
}
