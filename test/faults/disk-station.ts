import { readFileSync } from 'node:fs'
import { Launched, ndjson, readyLine } from '../helpers/process.ts'

export interface Answer {
  status: number
  text: string
  json: Record<string, unknown>
}

/** A station that runs. */
export interface Life {
  launched: Launched
  url: string
}

interface Options {
  data: string
  airLog: string
  program: string | undefined
  env: Record<string, string>
  /** Told of every bare 500. */
  onBare: (what: string) => void
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The station of a data folder, life after life, and what left its radios. */
export class DiskStation {
  readonly #o: Options
  #launched: Launched | null = null

  constructor(options: Options) {
    this.#o = options
  }

  async start(): Promise<Life> {
    const { data, airLog, program, env } = this.#o
    const launched = new Launched({
      args: ['start', '--port', '0', '--data', data, '--no-demo'],
      ...(program === undefined ? {} : { program }),
      env: { LOOKOUT_LOG: 'error', LOOKOUT_AIR_LOG: airLog, ...env }
    })
    this.#launched = launched
    const { url } = await launched.until('the ready line', () => readyLine(launched.stdout))
    return { launched, url }
  }

  async post(url: string, one: object): Promise<Answer> {
    return this.ask(`${url}/api/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(one)
    })
  }

  get(url: string, path: string): Promise<Answer> {
    return this.ask(`${url}${path}`)
  }

  async ask(url: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
    const text = await response.text()
    if (response.status === 500) {
      // The log's words on it come by another pipe.
      await pause(100)
      const said = this.#launched?.stderr.trim().split('\n').slice(-2).join(' ') ?? ''
      this.#o.onBare(`${new URL(url).pathname}: ${said.slice(-900)}`)
    }
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }

  /** As the station says it. */
  async storing(url: string): Promise<boolean | undefined> {
    const { json } = await this.get(url, '/api/status')
    return (json['storage'] as { storing?: boolean } | undefined)?.storing
  }

  radiosOf(id: string): number {
    const entries = ndjson<{ text: string; radio: string }>(readFileSync(this.#o.airLog, 'utf8'))
    return new Set(entries.flatMap(({ text, radio }) => (text.includes(`Leave ${id} now`) ? [radio] : []))).size
  }

  aired(id: string): number {
    return ndjson<{ text: string }>(readFileSync(this.#o.airLog, 'utf8')).filter(({ text }) =>
      text.includes(`Leave ${id} now`)
    ).length
  }
}

/** An event by its words; both radios tell it. */
export function event(id: string, severity: string): Record<string, unknown> {
  return {
    id,
    severity,
    source: 'storm',
    family: 'fire',
    title: `Leave ${id} now`,
    lat: 44.5,
    lon: -114,
    expires: '2099-01-01T00:00:00Z'
  }
}
