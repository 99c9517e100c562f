import { access, constants, stat } from 'node:fs/promises'
import type { SerialPort } from 'serialport'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Link, LinkListeners, type LinkSource, notOpen } from './link.ts'

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
    if (!this.#listeners.live) throw new AppError('unavailable', because('closed_while_opening'))
    // Without hupcl:false the board is reset each time the port is closed.
    const port = new SerialPort({ path, baudRate: BAUD_RATE, hupcl: false, autoOpen: false })
    this.#port = port
    port.on('data', (bytes: Buffer) => this.#listeners.received(bytes))
    port.on('error', (error: Error) => this.#lost(error))
    port.on('close', (error: Error | null | undefined) => this.#lost(error))
    await new Promise<void>((resolve, reject) => {
      port.open((error) =>
        error === null || error === undefined ? resolve() : reject(new AppError('unavailable', explain(error, path)))
      )
    })
    if (this.#listeners.live) await this.#watchFile(path)
    if (!this.#listeners.live) await closePort(port)
  }

  write(bytes: Uint8Array): Promise<void> {
    const port = this.#port
    if (port === null || !this.#listeners.live) return Promise.reject(notOpen(this.label))
    return new Promise((resolve, reject) => {
      port.write(Buffer.from(bytes), (error) =>
        error ? reject(new AppError('unavailable', explain(error, this.#path))) : resolve()
      )
    })
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.#listeners.onData(listener)
  }

  onClose(listener: (reason: Reason) => void): () => void {
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
        if (now !== opened) this.#lost(new AppError('unavailable', because('device_file_gone')))
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
    this.#listeners.lost(error === null || error === undefined ? because('serial_closed') : lostText(error, this.#path))
  }
}

/** The device behind this file at present; null when there is none. */
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
  throw new AppError('missing', because('no_udevadm'))
}

/** The device file of `usb:VID:PID[:SERIAL]`. Throws AppError when none is plugged in, or more than one fits. */
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
  if (first === undefined) throw new AppError('missing', because('usb_absent', { path }))
  if (second === undefined) return first.path
  const serials = found.map(({ serialNumber }) => serialNumber ?? 'no serial number')
  const usb = `${vendor}:${product}`
  throw new AppError('conflict', because('usb_several', { count: found.length, path, usb, serials }))
}

function lostText(error: Error, path: string): Reason {
  const why = explain(error, path)
  return isInputOutputError(error) ? why : because('device_lost', { why })
}

function isInputOutputError({ message }: Error): boolean {
  return /\bEIO\b|\bENXIO\b|i\/o error/i.test(message)
}

function explain(error: Error, path: string): Reason {
  const { message } = error
  if (error instanceof AppError) return error.reason
  if (isInputOutputError(error)) return because('device_lost_io')
  if (/no such file|cannot find|no such device/i.test(message)) return because('port_absent', { path })
  if (/permission denied|access denied/i.test(message)) return because('port_forbidden', { path })
  if (/lock/i.test(message)) return because('port_in_use', { path })
  return because('note', { text: message.replace(/^Error:\s*/, '') })
}
