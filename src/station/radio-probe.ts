import { realpath } from 'node:fs/promises'
import type { HttpContext, RadioPlace } from '../dashboard/server/context.ts'
import { because, type Reason } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import { errorCode } from '../platform/files/atomic-file.ts'
import { MC_PORT, MT_PORT } from '../warning/radios/create.ts'
import { listSerialDevices } from '../warning/radios/link/devices.ts'
import type { LinkSource } from '../warning/radios/link/link.ts'
import type { FoundRadio } from '../warning/radios/probe.ts'
import type { RadioConfig } from '../warning/radios/settings.ts'

export interface RadioProbeOptions {
  radios: () => readonly RadioConfig[]
  /** False: nobody is asked (preview). */
  transmit: boolean
  clock: Clock
}

const CONNECT_MS = 4000
const USUAL = { mt: MT_PORT, mc: MC_PORT }

/** Looks for radios where somebody points, one place at a time. A radio that the station uses is never disturbed. */
export class RadioProbe {
  readonly #o: RadioProbeOptions
  #under: AbortController | null = null

  constructor(options: RadioProbeOptions) {
    this.#o = options
  }

  /** As `HttpContext.probe.ask`. */
  readonly ask = async (at: RadioPlace): Promise<FoundRadio> => {
    if (!this.#o.transmit) throw new AppError('unavailable', because('preview_transmits_nothing'))
    if (this.#under !== null) throw new AppError('conflict', because('probe_under_way'))
    const under = new AbortController()
    this.#under = under
    try {
      const used = await this.#usedBy(at)
      if (used !== null) throw new AppError('conflict', used)
      return await this.#look(at, under)
    } finally {
      this.#under = null
    }
  }

  readonly stop = (): void => this.#under?.abort()

  async #usedBy(at: RadioPlace): Promise<Reason | null> {
    const used = async (radio: RadioConfig): Promise<boolean> => {
      if ('path' in at) return radio.link === 'serial' && (await fileOf(radio.path)) === (await fileOf(at.path))
      if (radio.link !== 'tcp' || radio.host?.toLowerCase() !== at.host.toLowerCase()) return false
      return at.port === (radio.port ?? USUAL[radio.network])
    }
    for (const radio of this.#o.radios()) if (await used(radio)) return because('port_is_used', { radio: radio.id })
    return null
  }

  async #look(at: RadioPlace, under: AbortController): Promise<FoundRadio> {
    const { probeRadio } = await import('../warning/radios/probe.ts')
    const ask = (source: LinkSource) => probeRadio({ source, clock: this.#o.clock, signal: under.signal })
    if ('path' in at) {
      const { serialSource } = await import('../warning/radios/link/serial.ts')
      return ask(serialSource(at.path))
    }
    const { tcpSource } = await import('../warning/radios/link/tcp.ts')
    return ask(tcpSource({ ...at, connectTimeoutMs: CONNECT_MS }))
  }
}

/** The ports of this machine, and the question which radio hangs on one. */
export function radioPlaces(options: RadioProbeOptions): Pick<HttpContext, 'serialDevices' | 'probe'> {
  return { serialDevices: () => listSerialDevices(), probe: new RadioProbe(options) }
}

/** The file behind a name: a port has several. */
async function fileOf(path: string | undefined): Promise<string> {
  try {
    return path === undefined ? '' : await realpath(path)
  } catch (error) {
    if (errorCode(error) !== '') return path ?? ''
    throw error
  }
}
