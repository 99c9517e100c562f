import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openDatabase } from '../../src/platform/database/database.ts'
import { METRIC_TYPES, POINT_EVERY_MS } from '../../src/platform/metrics/point.ts'
import { metricsMigrations } from '../../src/platform/metrics/schema.ts'
import { PROSE, sampleText } from './documents.ts'
import { PNG, pmtiles } from './pmtiles.ts'
import { eventually, type LaunchOptions, type Running, startLookout } from './process.ts'
import { config, fillStorm } from './storm.ts'

const WEEK_MS = 7 * 86_400_000
const DOCUMENTS = 24
const SATELLITES = 50

/** A guest who guesses well finds these. */
export interface GuestWorld {
  station: Running
  /** An event whose messages wait by the dozen. */
  eventId: string
  /** A document that was taken in. */
  hash: string
}

/** Satellites in low orbits, elements of this day. */
function orbits(now: number): string {
  return JSON.stringify(
    Array.from({ length: SATELLITES }, (_, n) => ({
      OBJECT_NAME: `BIRD ${n}`,
      NORAD_CAT_ID: 40_000 + n,
      EPOCH: new Date(now - 3_600_000).toISOString().slice(0, -1),
      MEAN_MOTION: 14 + n / 40,
      ECCENTRICITY: 0.0004,
      INCLINATION: 51 + n,
      RA_OF_ASC_NODE: (n * 37) % 360,
      ARG_OF_PERICENTER: 90,
      MEAN_ANOMALY: (n * 71) % 360,
      BSTAR: 0.0001
    }))
  )
}

/** A week of measurements of twelve feeds. */
async function fillHistory(path: string, now: number): Promise<void> {
  const measured = { up: 1, items: 12, bytes: 1e6, requests: 5, events: 4, failures: 0 }
  const feeds = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`feed${n}`, measured]))
  const system = { cpu_percent: 12.5, rss_bytes: 1e8, memory_available_bytes: 1e9, longest_stall_ms: 12 }
  const data = { feeds, system, radios: { mt: { ready: 1, waiting: 2 } }, airtime: { mt: { used_seconds: 3 } } }
  const db = await openDatabase({ path, migrations: metricsMigrations, synchronous: 'NORMAL' })
  db.transaction(() => {
    for (let at = now - WEEK_MS; at < now; at += POINT_EVERY_MS)
      for (const type of METRIC_TYPES)
        db.sql('INSERT INTO points (type, at, data) VALUES (?, ?, ?)').run(
          type,
          at,
          JSON.stringify(type === 'knowledge' ? { items: 100, documents: 24 } : data[type])
        )
  })
  db.close()
}

/** No radio is ever there, so that what waits goes on waiting: its port is the one of `discard`, on which nobody listens. */
const radios = (['mt', 'mc'] as const).map((network) => ({
  id: network,
  network,
  link: 'tcp',
  host: '127.0.0.1',
  port: 9
}))

/**
 * The program with all that a guest may make it read: 10 × 40 cells, 40 areas, 5,000 events, 11,000 messages that wait, a week of
 * measurements, documents, a map and fifty satellites.
 */
export async function guestWorld(
  t: Pick<Test, 'teardown'>,
  folder: string,
  launched: Partial<LaunchOptions> = {}
): Promise<GuestWorld> {
  const now = Date.now()
  const data = join(folder, 'data')
  mkdirSync(join(data, 'maps'), { recursive: true })
  writeFileSync(join(data, 'maps', 'home.pmtiles'), pmtiles(Buffer.alloc(200_000), PNG))
  writeFileSync(join(data, 'orbits.json'), orbits(now))
  const observers = [{ name: 'Boise', lat: 43.615, lon: -116.2023 }]
  const sources = [{ kind: 'satpass', observers, file: 'orbits.json' }]
  const settings = { ...config, radios, sources, http: { local_operator: true }, station: { name: 'Hill' } }
  writeFileSync(join(data, 'config.json'), JSON.stringify(settings))
  await fillStorm(join(data, 'lookout.db'), now)
  await fillHistory(join(data, 'metrics.db'), now)
  const station = await startLookout(t, data, { env: { LOOKOUT_LOG: 'error' }, ...launched })
  const hashes: string[] = []
  for (let n = 0; n < DOCUMENTS; n++) {
    const text = sampleText(`Water handbook ${n}\n\n${[...PROSE, ...PROSE, ...PROSE].join(`\n\nPart ${n}. `)}`)
    const answer = await fetch(`${station.url}/api/upload?filename=water-${n}.txt`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: new Uint8Array(text)
    })
    hashes.push(((await answer.json()) as { hash: string }).hash)
  }
  await eventually('the documents are read', async () => {
    const { json } = await station.get<{ documents: { status: string }[] }>('/api/documents?limit=100')
    return (
      json.documents.length === DOCUMENTS &&
      json.documents.every(({ status }) => status !== 'pending' && status !== 'processing')
    )
  })
  await eventually('the satellites are known', async () => (await station.get('/api/satpasses?hours=1')).status === 200)
  return { station, eventId: 'e1', hash: hashes[0] ?? '' }
}
