/**
 * The house: its rooms and who may import whom. `test/structure.test.ts` holds every file to it, types as well as values;
 * `docs/architecture.md` and its picture are drawn from it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export interface Room {
  /** A folder of `src/`, or a file in it. */
  place: string
  /** The subject that a line must have to belong here. */
  holds: string
  /** Rooms and single files that it may import; `model` and `platform` are open to all rooms above them. */
  may: readonly string[]
}

const GROUND = ['model', 'platform']

/** From the ground up: a room imports only what stands above it in this list, the ports named as single files apart. */
export const ROOMS: readonly Room[] = [
  {
    place: 'platform',
    holds: 'what any station program needs: files, SQLite, child processes, clock, log, guarded fetch',
    may: ['model/reason.ts', 'model/words/sentences.ts']
  },
  {
    place: 'model',
    holds: 'the words of the field, pure: event, family, severity, thread, the levels of products',
    may: []
  },
  {
    place: 'model/words',
    holds: 'the sentences of reasons, in every language',
    may: ['model/reason.ts', 'model/reasons']
  },
  { place: 'warning', holds: 'the way of a warning, from a feed to the air', may: [] },
  { place: 'warning/station-settings.ts', holds: 'name, zone, units and anchors of the station', may: [] },
  { place: 'warning/events', holds: 'events as somebody hands them in, read and judged', may: [] },
  { place: 'warning/coverage', holds: 'which regions an event touches, and whether it matters here', may: [] },
  { place: 'warning/atlas', holds: 'outlines of zones: packs, imports, what is fetched', may: ['warning/coverage'] },
  {
    place: 'warning/radios',
    holds: 'the port of a radio and its drivers: link, Meshtastic, MeshCore, simulated',
    may: []
  },
  {
    place: 'warning/messages',
    holds: 'an event as a text of so many bytes',
    may: ['warning/station-settings.ts', 'warning/radios/radio.ts']
  },
  {
    place: 'warning/feeds',
    holds: 'sources: polling and pushing, one folder a kind with its settings, reader and words',
    may: [
      'warning/settings.ts',
      'warning/station-settings.ts',
      'warning/coverage/settings.ts',
      'warning/events',
      'warning/radios/radio.ts'
    ]
  },
  {
    place: 'warning/schedule',
    holds: 'broadcasts at fixed times',
    may: [
      'warning/settings.ts',
      'warning/messages',
      'warning/readiness/all-clear.ts',
      'warning/readiness/problem.ts',
      'warning/routing/quiet-settings.ts'
    ]
  },
  {
    place: 'warning/routing',
    holds: 'what becomes of an event: the matrix and the guards, pure; pipeline, explain and back-test over them',
    may: ['warning/coverage', 'warning/messages', 'warning/schedule/settings.ts']
  },
  {
    place: 'warning/outbox',
    holds: 'the ledger, the messages that wait, what the radios answered',
    may: [
      'warning/settings.ts',
      'warning/feeds/polling/feed-store.ts',
      'warning/messages',
      'warning/radios/radio.ts',
      'warning/radios/time-on-air.ts',
      'warning/radios/airtime-hour.ts',
      'warning/routing'
    ]
  },
  {
    place: 'warning/commands',
    holds: 'what people ask over the radio',
    may: [
      'warning/settings.ts',
      'warning/messages',
      'warning/outbox',
      'warning/radios/radio.ts',
      'warning/readiness/all-clear.ts',
      'warning/readiness/problem.ts',
      'warning/routing/on-channel.ts',
      'warning/routing/said-trace.ts'
    ]
  },
  {
    place: 'warning/readiness',
    holds: 'whether a warning would reach somebody, check by check',
    may: ['warning/settings.ts', 'warning/messages', 'warning/routing']
  },
  { place: 'knowledge', holds: 'the way of a file, from an upload to a cited answer', may: [] },
  { place: 'knowledge/encoding', holds: 'bytes of a text to characters, whatever their encoding', may: [] },
  { place: 'knowledge/jobs', holds: 'durable jobs with leases', may: [] },
  { place: 'knowledge/keys', holds: 'keys of outside providers', may: ['knowledge/settings.ts'] },
  { place: 'knowledge/catalogue', holds: 'the rows of documents and their table of stages', may: ['knowledge/jobs'] },
  {
    place: 'knowledge/enrich',
    holds: 'text, language, passages and vectors of a document',
    may: ['knowledge/settings.ts', 'knowledge/catalogue', 'knowledge/encoding', 'knowledge/jobs', 'knowledge/keys']
  },
  {
    place: 'knowledge/intake',
    holds: 'arrival, conversion and shelving of files',
    may: ['knowledge/catalogue', 'knowledge/encoding', 'knowledge/jobs', 'knowledge/enrich']
  },
  {
    place: 'knowledge/search',
    holds: 'questions and cited answers',
    may: ['knowledge/settings.ts', 'knowledge/catalogue', 'knowledge/enrich', 'knowledge/keys']
  },
  {
    place: 'knowledge/library',
    holds: 'the offline wiki: archives, their server, their articles in the search',
    may: [
      'knowledge/catalogue',
      'knowledge/encoding',
      'knowledge/jobs',
      'knowledge/enrich',
      'knowledge/intake/parts.ts'
    ]
  },
  {
    place: 'knowledge/scrape',
    holds: 'archiving of web sites',
    may: ['knowledge/encoding', 'knowledge/enrich/language-codes.ts', 'knowledge/jobs', 'knowledge/library']
  },
  { place: 'knowledge/addresses', holds: 'postal addresses', may: [] },
  {
    place: 'settings',
    holds: '`config.json`: the schema of all parts, the durable store, profiles',
    may: [
      'dashboard/settings.ts',
      'knowledge/settings.ts',
      'knowledge/library/settings.ts',
      'warning/settings.ts',
      'warning/coverage',
      'warning/routing/network-switches.ts',
      'warning/routing/settings.ts'
    ]
  },
  { place: 'dashboard', holds: 'pages and API', may: [] },
  { place: 'dashboard/settings.ts', holds: 'where the port listens and who may write', may: [] },
  {
    place: 'dashboard/words',
    holds: 'sentences in the languages of the pages',
    may: ['dashboard/server/assets.ts', 'warning/feeds/settings.ts']
  },
  {
    place: 'dashboard/paper',
    holds: 'a page as a PDF: set in a process of its own, from the markup of its HTML form',
    may: ['knowledge/intake/convert']
  },
  {
    place: 'dashboard/server',
    holds: 'route, identity, body, limits, live',
    may: [
      'dashboard/paper/sheet.ts',
      'dashboard/words/language.ts',
      'dashboard/settings.ts',
      'settings',
      'warning/coverage/zones.ts',
      'warning/events/exercise.ts',
      'warning/feeds/status.ts',
      'warning/outbox',
      'warning/radios/radio.ts',
      'warning/radios/probe.ts',
      'warning/radios/link/devices.ts',
      'warning/readiness',
      'warning/routing',
      'knowledge'
    ]
  },
  {
    place: 'dashboard/editing',
    holds: 'parts of the configuration as a page edits them',
    may: [
      'settings',
      'warning/coverage',
      'warning/feeds/settings.ts',
      'warning/outbox/stored-event.ts',
      'warning/routing',
      'dashboard/server'
    ]
  },
  {
    place: 'dashboard/api',
    holds: 'what a request asks and gets',
    may: [
      'settings',
      'warning/coverage',
      'warning/events',
      'warning/messages',
      'warning/outbox',
      'warning/routing',
      'knowledge',
      'dashboard/server',
      'dashboard/paper/sheet.ts',
      'dashboard/editing',
      'dashboard/words',
      'dashboard/pages'
    ]
  },
  {
    place: 'dashboard/pages',
    holds:
      'the pages, one folder each with script, style and words; what their scripts draw too stands in `web/shared`',
    may: [
      'settings',
      'warning/coverage',
      'warning/feeds/settings.ts',
      'warning/feeds/status.ts',
      'warning/outbox',
      'warning/readiness/blinding.ts',
      'warning/commands/usages.ts',
      'warning/messages',
      'warning/readiness/problem.ts',
      'warning/routing',
      'knowledge',
      'dashboard/server',
      'dashboard/editing',
      'dashboard/words',
      'dashboard/api',
      '../web/shared'
    ]
  },
  {
    place: 'cli',
    holds: 'one file a verb, and the port of the program as a verb sees it',
    may: [
      'settings',
      'dashboard/server/context.ts',
      'dashboard/editing',
      'warning/settings.ts',
      'warning/feeds/settings.ts',
      'warning/radios/radio.ts',
      'warning/radios/link/devices.ts',
      'warning/atlas',
      'warning/commands/ask.ts',
      'warning/coverage',
      'warning/events',
      'warning/outbox',
      'warning/readiness/problem.ts',
      'warning/readiness/self-report.ts',
      'warning/routing',
      'knowledge'
    ]
  },
  {
    place: 'station',
    holds: 'all wiring, made top to bottom and stopped bottom to top',
    may: ['settings', 'warning', 'knowledge', 'dashboard', 'cli/verb.ts']
  },
  { place: 'main.ts', holds: 'command line and environment in, exit code out', may: ['cli', 'station'] }
]

const within = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`)

/** The innermost room of a file of `src/`; undefined for a file that has none. */
export function roomOf(file: string): Room | undefined {
  return ROOMS.filter(({ place }) => within(file, place)).sort((a, b) => b.place.length - a.place.length)[0]
}

/** True when the table lets a file of `src/` import another. The root files of a house may import all of that house. */
export function mayImport(file: string, target: string): boolean {
  const room = roomOf(file)
  if (room === undefined) return false
  if (roomOf(target) === room) return true
  const isGround = GROUND.some((place) => within(room.place, place))
  if (!isGround && GROUND.some((place) => within(target, place))) return true
  const ofOwnHouse = !room.place.includes('/') && within(target, room.place)
  return ofOwnHouse || room.may.some((place) => within(target, place))
}

export interface Import {
  target: string
  /** Only a type is taken: nothing of the target runs. */
  typeOnly: boolean
}

/** Paths of all files of `src/`, relative to it. */
export function filesOf(src: string): string[] {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(src, join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
}

const IMPORTS = /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g

/** The imports of a file of `src/` among ours, values and types, at once and when it is asked for. */
export function importsOf(src: string, file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(IMPORTS)].map((match) => ({
    target: relative(src, resolve(src, dirname(file), match[2] ?? match[3] ?? '')),
    typeOnly: match[1] !== undefined
  }))
}

/** Groups of files that import each other in a circle, by values or types (Tarjan's strongly connected components). */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const lowOf = (file: string): number => low.get(file) ?? 0
  const visit = (file: string): void => {
    order.set(file, order.size)
    low.set(file, order.size - 1)
    stack.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) low.set(file, Math.min(lowOf(file), lowOf(target)))
    }
    if (lowOf(file) !== order.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles
}
