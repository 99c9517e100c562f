import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../../platform/files/atomic-file.ts'

/** A port a radio may hang on. */
export interface SerialDevice {
  /** The path to configure: the name that stays when cables change places, where there is one. */
  path: string
  /** The maker's name for it, made readable; empty when nothing is known. */
  name: string
}

const PORT = /^tty(?:ACM|USB)\d+$/
const MOST = 50

/**
 * The USB serial ports of this machine, by their names alone: nothing is opened, so no radio is disturbed. A port with a
 * stable name (`/dev/serial/by-id/…`) is listed under that one only.
 */
export async function listSerialDevices(dev = '/dev'): Promise<SerialDevice[]> {
  const byId = join(dev, 'serial', 'by-id')
  const stable = (await namesIn(byId)).map((name) => ({ path: join(byId, name), name: readable(name) }))
  const taken = new Set(await Promise.all(stable.map(({ path }) => target(path))))
  const others: SerialDevice[] = []
  for (const name of (await namesIn(dev)).filter((entry) => PORT.test(entry))) {
    const path = join(dev, name)
    if (!taken.has(await target(path))) others.push({ path, name: '' })
  }
  return [...stable, ...others].slice(0, MOST)
}

/** `usb-Seeed_Wio_Tracker_1234-if00` → `Seeed Wio Tracker 1234`. */
function readable(name: string): string {
  return name
    .replace(/^usb-/, '')
    .replace(/-if\d+(?:-port\d+)?$/, '')
    .replaceAll('_', ' ')
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    // No such folder means no such port; a folder nobody may read holds none for us either.
    if (errorCode(error) !== '') return []
    throw error
  }
}

async function target(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (errorCode(error) !== '') return path
    throw error
  }
}
