import { parseArgs } from 'node:util'
import { httpGet } from '../../src/platform/net/fetch.ts'
import type { Transport } from '../../src/warning/feeds/polling/polite-fetch.ts'
import { KNOWN_KINDS } from '../../src/warning/feeds/settings.ts'
import { DAY_START, PROVIDED } from './sources-bodies.ts'
import { Provider } from './sources-provider.ts'
import { addressOf, type Day, judge, RULES } from './sources-verdict.ts'
import { World } from './sources-world.ts'
import { seeded } from './storm-events.ts'

const HELP = `usage: sources-day [--seed N] [--hours N] [--faults SHARE]

Every kind of source that is asked, on a clock that jumps from timer to timer, against providers on a loopback server that serve
recordings (and small bodies made by hand): with entity tags and dates, gzip, 304, and scripted faults: 429 and 503 with
Retry-After, 500, 403, redirects to another host, loops, slow, stalled and cut bodies, web pages, errors with status 200, noise,
compression bombs. In the middle 20 restarts, every other one a kill. At the end:
${RULES.map((rule) => `  - ${rule}`).join('\n')}
  --seed N        default: one that is printed
  --hours N       of the clock; default 24 (a minute and a half)
  --faults SHARE  of the requests that go wrong; default 0.15
`

const HOUR_MS = 3_600_000
const RESTARTS = 20
const RESTART_EVERY_MS = 15_000
/** A real one: this long a stalled body is waited for. */
const PATIENCE_MS = 400

interface Options {
  seed: number
  hours: number
  faults: number
}

/** Bodies by address; each is made once, for moving the days of a megabyte takes a while. */
function library(): (address: string) => string | null {
  const made = new Map<string, string | null>()
  return (address) => {
    for (const { bodies } of PROVIDED) {
      for (const [part, body] of bodies) {
        if (!address.includes(part)) continue
        const text = made.get(part) ?? body()
        made.set(part, text)
        return text
      }
    }
    return null
  }
}

/** Kinds whose main recording is not here. */
function absentKinds(bodyOf: (address: string) => string | null): Set<string> {
  const absent = PROVIDED.filter(({ bodies }) => bodies.some(([part]) => bodyOf(part) === null))
  return new Set(absent.map(({ source }) => String(source['kind'])))
}

/** Serves a day whose faults end by themselves: everything is answered, at once, and a little different each time. */
async function withoutFaults(
  { seed, hours }: Options,
  bodyOf: (address: string) => string | null,
  without: ReadonlySet<string>
): Promise<ReadonlySet<string>> {
  let asked = 0
  const transport: Transport = async ({ url }) => {
    const text = bodyOf(addressOf(url))
    const body = new TextEncoder().encode(`${text ?? ''}${'\n'.repeat(++asked % 1000)}`)
    const rest = { contentType: '', etag: null, modified: null, maxAge: null, retryAfter: null }
    return {
      status: text === null ? 404 : 200,
      url,
      body: text === null ? new Uint8Array() : body,
      bytes: body.length,
      ...rest
    }
  }
  const world = new World({ transport, random: seeded(seed), without, intervalFactor: 4 })
  await world.open()
  await world.begin()
  await world.runTo(DAY_START + hours * HOUR_MS)
  await world.close()
  return world.ended
}

interface Ran extends Omit<Day, 'endedWithout' | 'whole'> {
  events: number
}

async function theDay(
  { seed, hours, faults }: Options,
  bodyOf: (address: string) => string | null,
  without: ReadonlySet<string>
): Promise<Ran> {
  let now = (): number => DAY_START
  const provider = new Provider({
    bodyOf,
    now: () => now(),
    random: seeded(seed),
    faultShare: faults,
    changeShare: 0.3
  })
  await provider.listen()
  const transport: Transport = async (request) => {
    const answer = await httpGet({ ...request, url: provider.local(request.url), totalMs: PATIENCE_MS })
    return { ...answer, url: request.url }
  }
  const world = new World({ transport, random: seeded(seed + 1), without })
  now = () => world.clock.now()
  await world.open()
  await world.begin()
  const middle = DAY_START + Math.floor((hours * HOUR_MS) / 2)
  const heaps: number[] = []
  let loop: Day['loop'] = { from: 0, to: 0, afterKill: new Set() }
  for (let time = DAY_START + HOUR_MS; time <= DAY_START + hours * HOUR_MS; time += HOUR_MS) {
    if (loop.from === 0 && time > middle) loop = await restartLoop(world, middle)
    await world.runTo(time)
    await world.settle()
    world.polls.pack(({ until }) => until !== undefined)
    provider.served.pack()
    heaps.push(await world.heap())
  }
  await world.close()
  provider.close()
  const { minMs, warning, ended, errors, events } = world
  const { mostAtOnce, redirected } = provider
  return {
    world: { minMs, warning, ended, errors, polls: world.polls.all() },
    provider: { mostAtOnce, redirected, served: provider.served.all() },
    heaps,
    loop,
    events
  }
}

async function restartLoop(world: World, from: number): Promise<Day['loop']> {
  const afterKill = new Set<number>()
  await world.runTo(from)
  for (let round = 0; round < RESTARTS; round++) {
    await world.runTo(from + round * RESTART_EVERY_MS)
    const how = round % 2 === 0 ? 'killed' : 'stopped'
    await world.end(how)
    await world.begin()
    if (how === 'killed') afterKill.add(world.life)
  }
  await world.runTo(from + RESTARTS * RESTART_EVERY_MS)
  return { from, to: from + RESTARTS * RESTART_EVERY_MS, afterKill }
}

function tell(ran: Ran, day: Day): number {
  const { served, mostAtOnce } = ran.provider
  const count = (what: string): number => served.filter((one) => one.what === what).length
  const bad = served.filter(({ good }) => !good).length
  const { polls } = ran.world
  console.log(
    `${polls.length} polls, ${served.length} requests of ${mostAtOnce.size} hosts: ${count('same')} not changed, ${count('whole')} whole, ${bad} bad, ${ran.provider.redirected.requests} redirected; ${ran.events} events stored, ${ran.world.ended.size} ended`
  )
  console.log(`heap after each hour, MiB: ${ran.heaps.map((mb) => mb.toFixed(0)).join(' ')}`)
  let failed = 0
  for (const [rule, breaches] of Object.entries(judge(day))) {
    if (breaches.length > 0) failed++
    console.log(`${breaches.length === 0 ? 'ok  ' : 'FAIL'} ${rule}`)
    for (const breach of breaches.slice(0, 10)) console.log(`       ${breach}`)
    if (breaches.length > 10) console.log(`       and ${breaches.length - 10} more`)
  }
  console.log(`${RULES.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      hours: { type: 'string', default: '24' },
      faults: { type: 'string', default: '0.15' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const options = {
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    hours: Number(values.hours),
    faults: Number(values.faults)
  }
  if (!Number.isInteger(options.seed) || !(options.hours >= 1) || !(options.faults >= 0 && options.faults < 1))
    throw new Error('--seed is a whole number, --hours at least 1, --faults between 0 and 1')
  console.log(`a day of all sources, seed ${options.seed}, ${options.hours} hours`)
  const forgotten = KNOWN_KINDS.filter(
    ({ kind, mode }) => mode === 'poll' && !PROVIDED.some(({ source }) => source['kind'] === kind)
  )
  if (forgotten.length > 0)
    throw new Error(`kinds that nobody provides here: ${forgotten.map(({ kind }) => kind).join(', ')}`)
  const bodyOf = library()
  const without = absentKinds(bodyOf)
  if (without.size > 0) console.log(`left out, their recordings are not here: ${[...without].join(', ')}`)
  const endedWithout = await withoutFaults(options, bodyOf, without)
  const ran = await theDay(options, bodyOf, without)
  return tell(ran, { ...ran, endedWithout, whole: options.hours >= 24 })
}

process.exitCode = await main()
