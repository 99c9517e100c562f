import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import * as v from 'valibot'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { GetAnswer, GetRequest } from '../../src/platform/net/fetch.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { nwsSource } from '../../src/warning/feeds/nws/source.ts'
import { Sources } from '../../src/warning/feeds/sources.ts'
import type { Delivery } from '../../src/warning/outbox/delivery.ts'
import type { Accepted } from '../../src/warning/routing/accepted.ts'
import { type Station, station } from '../helpers/station.ts'

/** The recorded afternoon as a service would have published it, and a station that asks for it each minute. */

export const MINUTE = 60_000

/** One alert of the capture, read without any code of the program. */
export interface Captured {
  id: string
  at: number
  isTest: boolean
  action: string
  /** `KICT.FG.Y.0003`, or '' without VTEC. */
  vtec: string
  /** Of the VTEC event; else of the message. */
  ends: string
  level: string
  zones: string[]
  event: string
  feature: object
}

interface Feature {
  properties: {
    id: string
    sent: string
    status: string
    severity: string
    urgency: string
    event: string
    expires: string
    geocode: { UGC: string[] }
    parameters: { VTEC?: string[] }
  }
}

/** Oldest first. */
export function readCapture(file: string): Captured[] {
  const { features } = JSON.parse(readFileSync(file, 'utf8')) as { features: Feature[] }
  const alerts = features.map((feature): Captured => {
    const { id, sent, status, severity, urgency, event, expires, geocode, parameters } = feature.properties
    const vtec = /\/O\.(...)\.(....\...\..\.\d{4})\.\w+-(\w+)\//.exec(parameters.VTEC?.join() ?? '')
    const [, action = '', key = '', ends = expires] = vtec ?? []
    const level = `${severity}/${urgency}`
    const isTest = status !== 'Actual'
    return { id, at: Date.parse(sent), isTest, action, vtec: key, ends, level, zones: geocode.UGC, event, feature }
  })
  return alerts.sort((a, b) => a.at - b.at)
}

export interface World {
  clock: VirtualClock
  /** Requests of the whole afternoon: how many, and how many were answered 304. */
  asked: { total: number; unchanged: number }
  decided: Accepted[]
  /** Every message that went out, in order, over all lives of the program. */
  sent: () => Delivery[]
  runTo: (time: number) => Promise<void>
  /** The number of messages that wait now. */
  waiting: () => number
  /** Ends the program and starts it again on the same file, at the same instant. */
  restart: () => Promise<void>
  /** `mt:3 text` of everything on the air, over all lives. */
  onAir: () => string[]
}

/** Of the event loop, between two timers: a poll is handed on in slices, and a radio answers in its own time. */
const TURNS = 5

/** Opens the station and its only source; `start` is the first poll's minute. */
export async function openWorld(
  t: Test,
  { alerts, config, start }: { alerts: readonly Captured[]; config: unknown; start: number }
): Promise<World> {
  const clock = new VirtualClock(start)
  const document = v.parse(configSchema, config)
  const asked = { total: 0, unchanged: 0 }
  let turns = TURNS
  const decided: Accepted[] = []
  const rows = new Map<number, Delivery>()
  const aired: string[] = []
  let life = await begin(await station(t, { config, clock, databasePath: `${t.testdir()}/lookout.db` }))

  async function begin(current: Station): Promise<{ station: Station; sources: Sources }> {
    current.core.observers.on('decided', (accepted) => decided.push(accepted))
    current.core.observers.on('delivery', (row) => rows.set(row.id, row))
    const sources = new Sources({
      config: () => document,
      onConfigChange: () => () => undefined,
      dataFolder: '/nowhere',
      store: current.core.sourceStore,
      accept: (arrivals) => current.core.accept(arrivals),
      inForce: () => [],
      transport: async (request) => answerAt(request),
      intervalFactor: 1,
      version: '1.0.0',
      startedAt: clock.now(),
      clock,
      random: () => 0.5,
      log: createLog({
        level: 'warn',
        destination: { write: (line: string) => void t.fail(`unexpected log: ${line}`) }
      }),
      onChange: () => undefined,
      // Loading a reader takes real time, in which the virtual clock would run on.
      kindOf: async () => nwsSource
    })
    t.teardown(() => sources.stop())
    sources.start()
    return { station: current, sources }
  }

  /** Newest first, as the service lists; an entity tag that changes with the list. */
  function answerAt({ url, etag, userAgent }: GetRequest): GetAnswer {
    asked.total++
    const now = clock.now()
    const listed = alerts.filter(({ at }) => at <= now).reverse()
    const tag = `"${listed.length}"`
    const known = etag === tag
    if (known) asked.unchanged++
    // A listing is parsed and read a few entries a turn.
    else turns = TURNS + listed.length
    if (!userAgent.includes('ops@valley.example')) t.fail(`asked as ${userAgent}`)
    const list = (): string =>
      JSON.stringify({ type: 'FeatureCollection', features: listed.map(({ feature }) => feature) })
    const body = known ? new Uint8Array() : new TextEncoder().encode(list())
    const rest = { contentType: 'application/geo+json', etag: tag, modified: null, maxAge: null, retryAfter: null }
    return { status: known ? 304 : 200, url, body, bytes: body.length, ...rest }
  }

  return {
    clock,
    asked,
    decided,
    sent: () => [...rows.values()].filter(({ sentAt }) => sentAt !== null).sort((a, b) => a.id - b.id),
    onAir: () => [...aired, ...life.station.onAir()],
    runTo: async (time) => {
      while (clock.now() < time) {
        await clock.runTo(Math.min(time, clock.now() + 5000))
        for (let turn = 0; turn < turns; turn++) await clock.runTo(clock.now())
        turns = TURNS
      }
    },
    waiting: () => life.station.core.waiting.open(),
    restart: async () => {
      aired.push(...life.station.onAir())
      await life.sources.stop()
      life = await begin(await life.station.restart())
    }
  }
}
