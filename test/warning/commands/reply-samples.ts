import { join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import type { AirLanguage } from '../../../src/model/air-languages.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { FAULTS, type StorageFault } from '../../../src/platform/database/storage-fault.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import { StorageNews } from '../../../src/station/storage-news.ts'
import type { LibraryAnswer } from '../../../src/warning/commands/ask.ts'
import { radioTexts } from '../../../src/warning/commands/question.ts'
import { bandConditions } from '../../../src/warning/feeds/swpc/conditions.ts'
import { REPLIES } from '../../../src/warning/messages/catalogue/replies.ts'
import { put } from '../../../src/warning/messages/catalogue/words.ts'
import type { MeshNode } from '../../../src/warning/radios/radio.ts'
import type { SimulatedRadio } from '../../../src/warning/radios/simulated.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** A text of the station: what it answers, whom by which network, and what it may have in bytes. */
export interface Sample {
  name: string
  text: string
  limit: number
}

const ADMIN = '!a1b2c3d4'
const KEY = 'aabbccddeeff'
const PROOF = '11'.repeat(32)
const LIMITS = { mt: 200, mc: 140 } as const
/** On a channel of MeshCore the longest name of a node stands before a text. */
const MC_CHANNEL = 140 - 33
const DAY_S = 86_400

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [-117, 43],
      [-116, 43],
      [-116, 44],
      [-117, 44],
      [-117, 43]
    ]
  ]
}
const NODES: MeshNode[] = [
  ['!00000001', 'Bert', 43.5, 3],
  ['!00000002', 'Anna', 43.9, 26],
  ['!00000003', 'Elsewhere', 42, 1],
  ['!00000004', 'Nowhere', null, 0]
].map(([id, name, lat, hours]) => ({
  id: String(id),
  name: String(name),
  lastHeardAt: START,
  batteryPercent: null,
  position: lat === null ? null : { lat: Number(lat), lon: -116.5, at: START - Number(hours) * 3_600_000 }
}))

const settings = (language: AirLanguage, more: object = {}) => ({
  ...withMatrix({
    fire: { North: { mt: 3, mc: 'north-fire' }, 'South Hills': { mt: 4, enabled: false, mute: true } },
    weather: { North: { mt: 3, min_severity: 'critical' } }
  }),
  station: { language, name: 'Ridge' },
  messages: { mt_bytes: LIMITS.mt, mc_bytes: LIMITS.mc },
  commands: { admins: [ADMIN, KEY], ...more },
  coverage: { areas: [{ name: 'North', west: -117, south: 43, east: -116, north: 44 }] }
})

type Heard = Partial<Parameters<SimulatedRadio['receive']>[0]>

/** Asks as whoever, and keeps each answer under the name of what was asked. */
class Walk {
  readonly samples: Sample[] = []
  readonly s: Station
  #strangers = 0

  constructor(s: Station) {
    this.s = s
  }

  /** By default the admin, by a proven direct text on Meshtastic. */
  async ask(name: string, text: string, more: Heard & { by?: 'mt' | 'mc' } = {}): Promise<void> {
    const { by = 'mt', ...heard } = more
    const radio = this.s[by]
    const before = radio.airLog.length
    const sender = by === 'mt' ? { from: ADMIN, publicKey: PROOF } : { from: KEY }
    radio.receive({ ...sender, text, ...heard })
    await this.s.run(20)
    // Alerts go on meanwhile; an answer goes to whoever asked, or where nobody is known to the channel.
    const told = radio.airLog.slice(before).filter(({ to }) => to !== undefined || heard.from === '')
    for (const { text: answer } of told)
      this.samples.push({ name: `${name}: ${text}`, text: answer, limit: LIMITS[by] })
  }

  /** Somebody who has not asked before. */
  stranger(): Heard {
    this.#strangers++
    return { from: `!0000${String(this.#strangers).padStart(4, '0')}` }
  }
}

/** Everything that an answer by radio may say, in one language, as a station says it. */
export async function repliesIn(t: Test, language: AirLanguage): Promise<Sample[]> {
  return [
    ...(await commands(t, language)),
    ...(await refusals(t, language)),
    ...(await withoutDisk(t, language)),
    ...library(language),
    ...(await notices(language)),
    ...bands(language)
  ].map(({ name, text, limit }) => ({ name: steady(name), text: steady(text), limit }))
}

/** Codes of alerts come by chance. */
const steady = (text: string): string => text.replace(/(#|!(?:why|ack|who) )(?!ZZZZ)[0-9A-HJKMNP-TV-Z]{4}\b/g, '$1K7QF')

async function commands(t: Test, language: AirLanguage): Promise<Sample[]> {
  let hotspot = { state: 'off' as 'on' | 'off' | 'failed', changing: false, reason: 'no Wi-Fi device', ssid: 'Hill' }
  let isSet = false
  const s = await station(t, {
    config: settings(language),
    hotspot: { state: () => hotspot, turn: async () => isSet },
    claim: async () => ({ code: '7KQM-3FXB', minutes: 15 })
  })
  const details = { firmware: null, batteryPercent: null, batteryMillivolts: null, channelUtilization: null }
  Object.assign(s.mt, { details: () => ({ ...details, airUtilization: null, queueLength: null, nodes: NODES }) })
  const walk = new Walk(s)
  const code = (thread: string): string => s.core.ledger.codes.known(thread) ?? ''

  await walk.ask('everybody', '!help', walk.stranger())
  await walk.ask('an admin', '!help')
  await walk.ask('an admin on MeshCore', '!help', { by: 'mc' })
  await walk.ask('nothing goes on', '!alerts')
  await walk.ask('no such region', '!catchup Mars')
  await walk.ask('without a code', '!why')
  await walk.ask('no such code', '!why ZZZZ')
  await walk.ask('a key of today', '!claim')

  const fire = await s.post({ id: 'a', title: 'Pine Fire', geometry: square, severity: 'critical' })
  await s.run(60)
  await walk.ask('sent', `!why ${code(fire.threadId)}`, walk.stranger())
  await walk.ask('inside', `!who ${code(fire.threadId)}`)
  await walk.ask('first', `!ack ${code(fire.threadId)} crew`)
  await walk.ask('again', `!ack ${code(fire.threadId)}`, { by: 'mc', fromName: 'Ann' })
  await walk.ask('acknowledged', `!why ${code(fire.threadId)}`, walk.stranger())
  const muted = await s.post({ id: 'b', title: 'Oak Fire', regions: ['South Hills'] })
  await walk.ask('muted', `!why ${code(muted.threadId)}`, walk.stranger())
  const low = await s.post({ id: 'c', title: 'Dense Fog Advisory', family: 'weather', geometry: square })
  await walk.ask('below the floor', `!why ${code(low.threadId)}`, walk.stranger())
  await walk.ask('no area', `!who ${code(muted.threadId)}`)
  s.mc.setFault({ down: true })
  const waits = await s.post({ id: 'd', title: 'Elm Fire', severity: 'critical' })
  await s.run(30)
  await walk.ask('a radio is down', `!why ${code(waits.threadId)}`, walk.stranger())
  await walk.ask('a radio is down', '!status')
  s.mc.setFault({ down: false })

  await walk.ask('usage', '!silence fire')
  await walk.ask('immediate', '!silence fire 2h !immediate')
  await walk.ask('no such name', '!silence Mars 2h')
  await walk.ask('not silenced', '!silence fire off')
  await walk.ask('silenced', '!silence South Hills 1d work', { by: 'mc' })
  await walk.ask('ended', '!silence South Hills off')

  await walk.ask('off', '!hotspot')
  await walk.ask('never set', '!hotspot on')
  isSet = true
  await walk.ask('switched on', '!hotspot on')
  await walk.ask('switched off', '!hotspot off')
  hotspot = { ...hotspot, state: 'failed' }
  await walk.ask('failed', '!hotspot')
  hotspot = { ...hotspot, state: 'on', ssid: '', changing: true }
  await walk.ask('on, changing', '!hotspot')
  await walk.ask('usage', '!hotspot please')
  await walk.ask('no library', '!ask water', walk.stranger())
  await walk.ask('questions too often', '!ask water')
  await s.run(DAY_S)
  await walk.ask('a key of yesterday', '!claim')
  for (let count = 0; count < 6; count++) await walk.ask('often', '!alerts', { from: '!00009999' })
  const often = walk.samples.filter(({ name }) => !name.startsWith('often'))
  await walk.ask('too often', '!alerts', { from: '!00009999' })
  return [...often, ...walk.samples.slice(-1)]
}

async function refusals(t: Test, language: AirLanguage): Promise<Sample[]> {
  const s = await station(t, { config: settings(language) })
  const walk = new Walk(s)
  await walk.ask('the key is learned', '!status')
  for (const name of ['ack', 'silence', 'who', 'hotspot', 'claim'])
    await walk.ask('a stranger', `!${name}`, walk.stranger())
  await walk.ask('not proven', '!ack K7QF', { proven: false })
  await walk.ask('another key', '!ack K7QF', { publicKey: '22'.repeat(32) })
  await walk.ask('an admin on a channel', '!silence fire 2h', { channel: 3, direct: false })
  await walk.ask('a name on MeshCore', '!ack K7QF', { by: 'mc', from: '', fromName: 'Ann', channel: 'north-fire' })
  await walk.ask('no hotspot', '!hotspot')
  await s.run(DAY_S)
  await walk.ask('no claim', '!claim')
  const who = { ack: 'channel', silence: 'list', ask: 'list' }
  s.setConfig(settings(language, { who }))
  await walk.ask('a stranger, channels may', '!ack K7QF', walk.stranger())
  await walk.ask('a stranger', '!ask water', walk.stranger())
  return walk.samples
}

async function withoutDisk(t: Test, language: AirLanguage): Promise<Sample[]> {
  const databasePath = join(t.testdir({ data: {} }), 'data', 'lookout.db')
  const s = await station(t, { config: settings(language), databasePath, onError: () => undefined })
  const walk = new Walk(s)
  await walk.ask('stored', '!silence North 2h')
  s.core.storage.db.exec('PRAGMA query_only = ON')
  await walk.ask('not stored', '!silence fire 2h', { by: 'mc' })
  return walk.samples.slice(1)
}

function library(language: AirLanguage): Sample[] {
  const { library: said } = REPLIES[language]
  const passage = { n: 1, hash: 'h', title: 'Field Sanitation', page: 12, item_id: 1 }
  const found: LibraryAnswer = { answer: null, confidence: 'not_found', citations: [], passages: [passage] }
  const told = (answer: LibraryAnswer): string =>
    radioTexts(answer, { codeOf: () => '7Q4M2' }, { limitBytes: 140, spoken: { language, ascii: false } })[0] ?? ''
  const excerpt = { n: 1, text: 'Boil the water.' }
  const texts: [string, string][] = [
    ['perhaps', told({ ...found, confidence: 'perhaps', excerpt })],
    ['not found', told(found)],
    ['nothing', told({ ...found, passages: [] })],
    ['no question', said.ask],
    ['closed', said.closed],
    ['empty', said.empty],
    ['busy', said.busy]
  ]
  return texts.map(([name, text]) => ({ name: `library, ${name}`, text, limit: 140 }))
}

async function notices(language: AirLanguage): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const fault of Object.keys(FAULTS) as StorageFault[]) {
    const clock = new VirtualClock(START)
    const texts: string[] = []
    const facts = new Map<string, string>()
    const config = v.parse(configSchema, settings(language))
    const news = new StorageNews({
      config: () => config,
      clock,
      send: ({ transport, text }) => void texts.push(`${transport} ${text}`),
      facts: () => ({ fact: (name) => facts.get(name) ?? null, setFact: (name, value) => void facts.set(name, value) })
    })
    news.failed(fault)
    await clock.runTo(START + 90 * 60_000)
    news.returned()
    news.failed('damaged')
    news.returned()
    const shown = fault === 'full' ? texts : texts.slice(0, 2)
    for (const text of shown)
      samples.push({
        name: `notice, ${fault}`,
        text: text.slice(3),
        limit: text.startsWith('mc') ? MC_CHANNEL : LIMITS.mt
      })
  }
  return samples
}

function bands(language: AirLanguage): Sample[] {
  const { bands: words } = REPLIES[language]
  const memory = new Map<string, unknown>([
    ['scales_at', START],
    ['kp', { time: START, kp: 2.33 }]
  ])
  const said = (): string => {
    const told = bandConditions({ get: (key) => memory.get(key) }, START, {
      ...words,
      bands: () => put(words.bands, '18:00')
    })
    return told ?? ''
  }
  const quiet = said()
  for (const letter of ['R', 'S', 'G']) memory.set(`storm:${letter}`, { level: 2 })
  return [
    { name: 'bands, quiet', text: quiet, limit: 140 },
    { name: 'bands, storm', text: said(), limit: 140 },
    { name: 'passes', text: `${put(words.passes, 'Boise')}: ${put(words.noPass, '24')}`, limit: 140 }
  ]
}
