import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { PeerFault } from './meshcore-faults.ts'
import { MeshcoreNode } from './meshcore-node.ts'
import type { NodeOptions, PeerContact, PeerEvent } from './meshcore-options.ts'

export const HELP = `A MeshCore companion radio that does not exist: it speaks the wire protocol over TCP or a pseudo-terminal and tells on standard
output, one JSON object a line, what it was asked, transmitted and heard.

  npm run sim:mc -- [--port 5000] [--host 127.0.0.1] [--pty /path] [--name NAME] [--channels A,B] [--contacts A,B] [--protocol N] [--repeaters N] [--air-scale X] [--clock-offset S]

  --port N            TCP port, default 5000; 0 takes a free one
  --host ADDRESS      default 127.0.0.1
  --pty PATH          also a serial port at PATH (needs socat); the node then follows the rules of the USB firmware
  --name NAME         node name, default Ridge
  --channels A,B,C    channel names, in slots 1, 2, 3 …; slot 0 is Public. Default north-fire,#alerts
  --contacts A,B      contacts that acknowledge direct texts. Default bob
  --protocol N        13 (firmware 1.17, default) … 8 (firmware 1.10)
  --repeaters N       default 1
  --air-scale X       time on the air is multiplied with this, default 1
  --clock-offset S    seconds the node's clock is wrong by
  --help

Ctrl-C or SIGTERM ends it. In the background, where no commands can come, it goes on.

Commands on standard input, one JSON object a line:
  {"do":"fault","kind":"drop|drop-after|garbage|slow|half|refuse|discard|lost-answer|push|bytewise|stop|swallow|pool-full|ack-late|
        ack-never|ack-twice|no-repeat","command":3,"times":1,"ms":2000,"code":2,"hex":"3e3e"}   {"do":"mend"}
  {"do":"text","slot":1,"from":"bob","text":"hello"}    {"do":"direct","from":"bob","text":"hello"}
  {"do":"slot","slot":4,"name":"ops"}   {"do":"clear","slot":4}   {"do":"contact","name":"carol","answers":"never"}
  {"do":"say","hex":"0011"}   {"do":"drop"}   {"do":"restart"}   {"do":"unplug"}   {"do":"plug"}   {"do":"quit"}
`

interface Control extends Partial<PeerFault>, Partial<Omit<PeerContact, 'name'>> {
  do: string
  slot?: number
  name?: string
  from?: string
  text?: string
  timestamp?: number
}

/** A serial port made of a pseudo-terminal: socat carries its bytes to the peer's TCP port. */
class Pty {
  readonly #path: string
  readonly #port: number
  readonly #print: (event: PeerEvent) => void
  #socat: ChildProcess | null = null
  #held: number | null = null

  constructor(path: string, port: number, print: (event: PeerEvent) => void) {
    this.#path = path
    this.#port = port
    this.#print = print
  }

  async plug(): Promise<void> {
    if (this.#socat !== null) return
    const child = spawn('socat', [`pty,link=${this.#path},raw,echo=0`, `tcp:127.0.0.1:${this.#port}`])
    this.#socat = child
    child.on('error', (error) => this.#print({ event: 'pty failed', reason: `${error.message}: is socat installed?` }))
    for (let i = 0; i < 200 && !existsSync(this.#path); i++) await new Promise((resolve) => setTimeout(resolve, 10))
    // While somebody holds it open, a client that closes it does not end the terminal, as with a USB device.
    this.#held = openSync(this.#path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
    this.#print({ event: 'plugged', path: this.#path })
  }

  async unplug(): Promise<void> {
    const child = this.#socat
    this.#socat = null
    if (this.#held !== null) closeSync(this.#held)
    this.#held = null
    if (child === null) return
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.kill()
    })
    this.#print({ event: 'unplugged', path: this.#path })
  }
}

function listen(node: MeshcoreNode, host: string, port: number): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => {
    const link = node.attach({ write: (bytes) => void socket.write(bytes), close: () => void socket.destroy() })
    socket.on('data', (bytes) => link.data(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => link.gone())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/** Does what one line on standard input says. Throws Error for what is no command. */
async function obey(control: Control, node: MeshcoreNode, pty: Pty | null): Promise<void> {
  const { slot = 1, from = 'bob', text = '', name = '' } = control
  const orders: Record<string, () => void | Promise<void>> = {
    fault: () => node.fault(control as PeerFault),
    mend: () => node.mend(),
    text: () => node.receiveText(slot, from, text, control.timestamp),
    direct: () => node.receiveDirect(from, text, control.timestamp),
    slot: () => node.setSlot(slot, name),
    clear: () => node.clearSlot(slot),
    contact: () => node.addContact({ name, answers: control.answers ?? 'always' }),
    say: () => node.say(Buffer.from(control.hex ?? '', 'hex')),
    drop: () => node.dropLink(),
    restart: () => node.restart(),
    unplug: () => pty?.unplug(),
    plug: () => pty?.plug()
  }
  const order = orders[control.do]
  if (order === undefined)
    throw new Error(`unknown command ${control.do}: one of ${Object.keys(orders).join(', ')}, quit`)
  await order()
}

/**
 * Runs the peer until it is told `quit`, gets Ctrl-C or SIGTERM, nobody reads its output any more, or the input of its terminal ends.
 * In the background, where there is no input, it goes on.
 */
export async function main(args: string[]): Promise<void> {
  const string = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      port: string,
      host: string,
      pty: string,
      name: string,
      channels: string,
      contacts: string,
      protocol: string,
      repeaters: string,
      'air-scale': string,
      'clock-offset': string,
      help: { type: 'boolean' }
    }
  })
  if (values.help === true) {
    process.stdout.write(HELP)
    return
  }
  const print = (event: PeerEvent): void => void process.stdout.write(`${JSON.stringify(event)}\n`)
  const names = (values.channels ?? 'north-fire,#alerts').split(',').filter(Boolean)
  const options: NodeOptions = {
    print,
    rule: values.pty === undefined ? 'tcp' : 'serial',
    name: values.name ?? 'Ridge',
    protocol: Number(values.protocol ?? 13),
    repeaters: Number(values.repeaters ?? 1),
    airScale: Number(values['air-scale'] ?? 1),
    countsAirtime: true,
    clockOffset: Number(values['clock-offset'] ?? 0),
    random: Math.random,
    slots: ['Public', ...names].map((name, slot) => ({ slot, name })),
    contacts: (values.contacts ?? 'bob')
      .split(',')
      .filter(Boolean)
      .map((name) => ({ name }))
  }
  const node = new MeshcoreNode(options)
  const server = await listen(node, values.host ?? '127.0.0.1', Number(values.port ?? 5000))
  const { port } = server.address() as AddressInfo
  const pty = values.pty === undefined ? null : new Pty(values.pty, port, print)
  await pty?.plug()
  print({ event: 'listening', port, pty: values.pty ?? null })
  const lines = createInterface({ input: process.stdin })
  let over = process.stdin.isTTY === true
  const told = new Promise<void>((resolve) => {
    const end = (): void => {
      over = true
      lines.close()
      resolve()
    }
    process.once('SIGINT', end)
    process.once('SIGTERM', end)
    process.stdout.once('error', end)
    // A terminal that is taken away is an end like any other.
    process.stdin.on('error', () => undefined)
  })
  for await (const line of lines) {
    if (line.trim() === '') continue
    try {
      const control: Control = JSON.parse(line)
      if (control.do === 'quit') {
        over = true
        break
      }
      await obey(control, node, pty)
      print({ event: 'done', do: control.do })
    } catch (error) {
      print({ event: 'not done', reason: error instanceof Error ? error.message : String(error) })
    }
  }
  if (!over) {
    print({
      event: 'stdin closed',
      message: `no more commands can come; the node goes on until Ctrl-C or SIGTERM (pid ${process.pid})`
    })
    await told
  }
  await pty?.unplug()
  node.powerOff()
  node.dropLink()
  server.close()
  process.stdin.destroy()
}
