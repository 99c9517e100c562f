import { access, constants, stat } from 'node:fs/promises'
import type { SerialPort } from 'serialport'
import { type Link, LinkListeners, type LinkSource } from './link.ts'

const BAUD_RATE = 115_200
/** `serialport` misses a hang-up that meets a read, and then reads nothing for ever. */
const LOOK_EVERY_MS = 1000
const USB_PATH = /^usb:([0-9a-f]{4}):([0-9a-f]{4})(?::(.+))?$/i

/**
 * Links over a serial port: 115200 baud, 8N1. `path` is a device file, best one below /dev/serial/by-id because ttyACM0 and ttyACM1
 * change places, or `usb:VID:PID` or `usb:VID:PID:SERIAL`, which is looked up at every attempt. `serialport` is loaded by the first open.
 */
export function serialSource(path: string): LinkSource {
  const label = `serial ${path}`
  const source: LinkSource = { kind: 'serial', label, make: () => new SerialLink(path, label) }
  // Elsewhere than below / a port has no file that could be watched, such as COM3.
  return path.startsWith('/') || USB_PATH.test(path) ? { ...source, present: () => isPresent(path) } : source
}

async function isPresent(path: string): Promise<boolean> {
  try {
    await access(USB_PATH.test(path) ? await findUsb(path) : path, constants.F_OK)
    return true
  } catch {
    // Absent is the answer, not a failure: the one who asks tries again.
    return false
  }
}

class SerialLink implements Link {
  readonly label: string
  readonly #path: string
  readonly #listeners = new LinkListeners()
  #port: SerialPort | null = null
  #watch: NodeJS.Timeout | null = null

  constructor(path: string, label: string) {
    this.#path = path
    this.label = label
  }

  async open(): Promise<void> {
    const path = USB_PATH.test(this.#path) ? await findUsb(this.#path) : this.#path
    const { SerialPort } = await import('serialport')
    if (!this.#listeners.live) throw new Error('closed while opening')
    // Without hupcl:false the board is reset each time the port is closed.
    const port = new SerialPort({ path, baudRate: BAUD_RATE, hupcl: false, autoOpen: false })
    this.#port = port
    port.on('data', (bytes: Buffer) => this.#listeners.received(bytes))
    port.on('error', (error: Error) => this.#lost(error))
    port.on('close', (error: Error | null | undefined) => this.#lost(error))
    await new Promise<void>((resolve, reject) => {
      port.open((error) =>
        error === null || error === undefined ? resolve() : reject(new Error(explain(error, path)))
      )
    })
    if (this.#listeners.live) await this.#watchFile(path)
    if (!this.#listeners.live) await closePort(port)
  }

  write(bytes: Uint8Array): Promise<void> {
    const port = this.#port
    if (port === null || !this.#listeners.live) return Promise.reject(new Error(`${this.label} is not open`))
    return new Promise((resolve, reject) => {
      port.write(Buffer.from(bytes), (error) => (error ? reject(new Error(explain(error, this.#path))) : resolve()))
    })
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.#listeners.onData(listener)
  }

  onClose(listener: (reason: string) => void): () => void {
    return this.#listeners.onClose(listener)
  }

  async close(): Promise<void> {
    this.#listeners.silence()
    this.#stopWatching()
    if (this.#port !== null) await closePort(this.#port)
  }

  /** The device is gone when its file is, or is another one: the board was plugged in again meanwhile. */
  async #watchFile(path: string): Promise<void> {
    const opened = path.startsWith('/') ? await deviceOf(path) : null
    if (opened === null || !this.#listeners.live) return
    this.#watch = setInterval(() => {
      void deviceOf(path).then((now) => {
        if (now !== opened) this.#lost(new Error('its device file is gone'))
      })
    }, LOOK_EVERY_MS).unref()
  }

  #stopWatching(): void {
    if (this.#watch !== null) clearInterval(this.#watch)
    this.#watch = null
  }

  /** An unplugged device gives `close` with an error, twice sometimes; a write may find out first and gives `error`. */
  #lost(error: Error | null | undefined): void {
    this.#stopWatching()
    this.#listeners.lost(
      error === null || error === undefined ? 'the serial port was closed' : lostText(error, this.#path)
    )
  }
}

/** Which device this file is at present; null when there is none. */
async function deviceOf(path: string): Promise<string | null> {
  try {
    const { rdev, ino } = await stat(path)
    return `${rdev} ${ino}`
  } catch {
    // Absent is the answer, not a failure.
    return null
  }
}

function closePort(port: SerialPort): Promise<void> {
  if (!port.isOpen) return Promise.resolve()
  return new Promise((resolve) => port.close(() => resolve()))
}

/** Ports are listed by `udevadm`, which small systems and containers leave out. */
function refuseWithoutUdev(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  throw new Error(
    'no device can be found by its USB numbers, because udevadm is not installed: apt-get install udev, or name the port by its file below /dev/serial/by-id'
  )
}

/** The device file of `usb:VID:PID[:SERIAL]`. Throws Error when none is plugged in, or more than one fits. */
async function findUsb(path: string): Promise<string> {
  const [, vendor = '', product = '', serial] = USB_PATH.exec(path) ?? []
  const { SerialPort } = await import('serialport')
  const found = (await SerialPort.list().catch(refuseWithoutUdev)).filter(
    (port) =>
      port.vendorId?.toLowerCase() === vendor.toLowerCase() &&
      port.productId?.toLowerCase() === product.toLowerCase() &&
      (serial === undefined || port.serialNumber === serial)
  )
  const [first, second] = found
  if (first === undefined) throw new Error(`no device ${path} is plugged in`)
  if (second === undefined) return first.path
  const serials = found.map(({ serialNumber }) => serialNumber ?? 'no serial number').join(', ')
  throw new Error(`${found.length} devices are ${path}; write usb:${vendor}:${product}:SERIAL with one of: ${serials}`)
}

function lostText(error: Error, path: string): string {
  const why = explain(error, path)
  return isInputOutputError(error) ? why : `the device was lost: ${why}`
}

function isInputOutputError({ message }: Error): boolean {
  return /\bEIO\b|\bENXIO\b|i\/o error/i.test(message)
}

function explain(error: Error, path: string): string {
  const { message } = error
  if (isInputOutputError(error)) return 'the device was lost (i/o error); is it still plugged in?'
  if (/no such file|cannot find|no such device/i.test(message)) return `${path} is not there; is the radio plugged in?`
  if (/permission denied|access denied/i.test(message))
    return `no permission for ${path}; add the user Lookout runs as to the group dialout`
  if (/lock/i.test(message)) return `${path} is in use by another program; close that one`
  return message.replace(/^Error:\s*/, '')
}
