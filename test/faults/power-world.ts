import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, Launched, readyLine } from '../helpers/process.ts'
import { buildRecorder } from '../helpers/record-shim.ts'
import { mark } from './power-recording.ts'
import { STORM_CONFIG, type StormEvent, StormMaker, seeded } from './storm-events.ts'

/** The outside asked, or was told; each mark stands in the recording where it happened. */
export type Mark =
  | { what: 'asked' | 'told'; kind: 'events'; events: StormEvent[] }
  | { what: 'asked' | 'told'; kind: 'name' | 'key' | 'silence' | 'document'; value: string }
  | { what: 'life' }

/** No two documents of them are alike. */
const WORDS =
  `boil water lid stove cloth filter wound press clean bandage splint fever cough shelter tarp rope knot signal mirror
  whistle radio battery solar fuse wire antenna ground fire tinder flint axe saw snow ice river ford bridge raft map compass north star
  seed soil compost goat hen egg milk salt smoke dry root leaf berry mushroom fish net hook trap`.split(/\s+/)

/** The machine may be busy with other runs. */
const PATIENCE_MS = 60_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The program at work, with every call on its data folder taken down. */
export class PowerWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'lookout-power-'))
  readonly recording = join(this.folder, 'recording')
  readonly data = join(this.folder, 'data')
  /** The folder as it was before the first start. */
  readonly start = join(this.folder, 'start')
  readonly #marks = join(this.folder, 'air.jsonl')
  readonly #random: () => number
  readonly #maker: StormMaker
  readonly #shim = buildRecorder()
  #launched: Launched | null = null
  #url = ''
  #count = 0

  constructor(seed: number) {
    this.#random = seeded(seed)
    this.#maker = new StormMaker(seeded(seed + 1))
    for (const folder of [this.data, this.start]) mkdirSync(folder)
    writeFileSync(join(this.data, 'config.json'), JSON.stringify(STORM_CONFIG))
    for (const file of [this.recording, this.#marks]) writeFileSync(file, '')
  }

  /** A life of storm, edits and documents after the other: the first ends with SIGTERM, the second with SIGKILL. */
  async record(steps: number): Promise<void> {
    try {
      for (const end of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
        await this.#begin()
        for (let step = 0; step < steps; step++) {
          await this.#one()
          await pause(this.#random() * 250)
        }
        // The radios take a text every few seconds.
        await pause(3000)
        this.#launched?.signal(end)
        await this.#launched?.ended
      }
    } finally {
      await this.#launched?.kill()
      rmSync(this.#shim.folder, { recursive: true })
    }
  }

  async #begin(): Promise<void> {
    mark(this.recording, { what: 'life' })
    const launched = new Launched({
      args: ['start', '--port', '0', '--data', this.data, '--no-demo'],
      env: {
        LOOKOUT_LOG: 'error',
        LOOKOUT_AIR_LOG: this.#marks,
        LD_PRELOAD: this.#shim.library,
        RECORD_LOG: this.recording,
        RECORD_ROOT: this.data,
        RECORD_MARKS: this.#marks
      }
    })
    this.#launched = launched
    this.#url = (await launched.until('the ready line', () => readyLine(launched.stdout))).url
  }

  #one(): Promise<void> {
    const draw = this.#random()
    this.#count++
    if (draw < 0.5) return this.#events()
    if (draw < 0.75) return this.#name()
    if (draw < 0.82) return this.#key()
    return draw < 0.9 ? this.#silence() : this.#document()
  }

  async #events(): Promise<void> {
    const events = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => this.#maker.next())
    mark(this.recording, { what: 'asked', kind: 'events', events })
    await this.#post('/api/events', events, 202)
    mark(this.recording, { what: 'told', kind: 'events', events })
  }

  async #name(): Promise<void> {
    const value = `S${this.#count}`
    await this.#asked('name', value, () => this.#post('/api/settings', { set: { '/station/name': value } }, 200))
  }

  async #key(): Promise<void> {
    const value = `key-of-${this.#count}-${'k'.repeat(20)}`
    await this.#asked('key', value, () => this.#post('/api/keys', { provider: 'openai', key: value }, 201))
  }

  async #silence(): Promise<void> {
    const value = `silence ${this.#count}`
    const body = { family: 'mesh_health', duration: '7d', reason: value }
    await this.#asked('silence', value, () => this.#post('/api/silences', body, 201))
  }

  async #document(): Promise<void> {
    const words = Array.from({ length: 300 }, () => WORDS[Math.floor(this.#random() * WORDS.length)]).join(' ')
    const form = new FormData()
    form.append('file', new Blob([words]), `water-${this.#count}.txt`)
    mark(this.recording, { what: 'asked', kind: 'document', value: '' })
    const response = await fetch(`${this.#url}/api/upload`, {
      method: 'POST',
      body: form,
      signal: AbortSignal.timeout(PATIENCE_MS)
    })
    const { hash } = (await response.json()) as { hash: string }
    if (response.status !== 201) throw new Error(`the upload was answered ${response.status}`)
    mark(this.recording, { what: 'told', kind: 'document', value: hash })
  }

  async #asked(kind: 'name' | 'key' | 'silence', value: string, ask: () => Promise<void>): Promise<void> {
    mark(this.recording, { what: 'asked', kind, value })
    await ask()
    mark(this.recording, { what: 'told', kind, value })
  }

  async #post(path: string, body: unknown, expected: number): Promise<void> {
    await eventually(`${path} is answered`, async () => {
      const response = await fetch(`${this.#url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS)
      })
      const text = await response.text()
      if (response.status === 429) return false
      if (response.status !== expected) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
      return true
    })
  }
}
