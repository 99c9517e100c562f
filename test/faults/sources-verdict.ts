import type { Fault, Provider, Served } from './sources-provider.ts'
import { FAULTS } from './sources-provider.ts'
import { CONTACT, type Poll, type World } from './sources-world.ts'

const MINUTE_MS = 60_000
const MOST_BACKOFF_MS = 30 * MINUTE_MS
const MOST_WARNING_BACKOFF_MS = 2 * MINUTE_MS
const HEAP_GROWTH_MB = 4

/** The promises to providers and to listeners, checked at the end of the day. */
export const RULES = [
  'polls of a source are its provider’s least interval apart, over restarts too',
  'a restart loop downloads no more than one poll of each source beyond that',
  'one request at a time per host',
  'no request to a host before the time its Retry-After named',
  'after failures a source waits 1, 2, 4 … 30 minutes, one of warnings at most 2',
  'what is known is sent along with every request',
  'every request says who asks; what is secret goes to no other host',
  'no event ends that does not end without faults',
  'every source was read, and every fault occurred',
  'memory is flat'
] as const

export interface Day {
  world: Pick<World, 'minMs' | 'warning' | 'ended' | 'errors'> & { polls: readonly Poll[] }
  provider: Pick<Provider, 'mostAtOnce' | 'redirected'> & { served: readonly Served[] }
  /** Of the same day without faults. */
  endedWithout: ReadonlySet<string>
  /** MiB after each hour. */
  heaps: readonly number[]
  /**
   * The time in which restarts followed each other, epoch milliseconds; and the number of the first life after each
   * kill.
   */
  loop: { from: number; to: number; afterKill: ReadonlySet<number> }
  /** Long enough for every kind of fault. */
  whole: boolean
}

/** Breaches by rule; empty lists are what is hoped for. */
export function judge(day: Day): Record<(typeof RULES)[number], string[]> {
  const checks = [interval, loop, atOnce, quiet, backoff, conditional, agent, ends, coverage, memory]
  return Object.fromEntries(RULES.map((rule, at) => [rule, checks[at]?.(day) ?? []])) as Record<
    (typeof RULES)[number],
    string[]
  >
}

function bySource({ world }: Day): Map<string, Poll[]> {
  const sources = new Map<string, Poll[]>()
  for (const poll of world.polls) sources.set(poll.source, [...(sources.get(poll.source) ?? []), poll])
  return sources
}

/** Each poll with the one before it, of one source. */
function* pairs(day: Day): Generator<{ before: Poll; poll: Poll; gap: number; min: number }> {
  for (const [source, polls] of bySource(day)) {
    for (const [at, poll] of polls.entries()) {
      const before = polls[at - 1]
      if (before !== undefined) yield { before, poll, gap: poll.at - before.at, min: day.world.minMs.get(source) ?? 0 }
    }
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** A killed process cannot know what it did not write down yet: that one poll is counted by the next rule. */
function interval(day: Day): string[] {
  return [...pairs(day)]
    .filter(
      ({ before, poll, gap, min }) => gap < min && !(poll.life !== before.life && day.loop.afterKill.has(poll.life))
    )
    .map(({ poll, gap, min }) => `${poll.source}: ${seconds(gap)} after the one before, least ${seconds(min)}`)
}

function loop(day: Day): string[] {
  const { from, to } = day.loop
  return [...bySource(day)].flatMap(([source, polls]) => {
    const least = day.world.minMs.get(source) ?? MINUTE_MS
    const allowed = Math.floor((to - from) / least) + 2
    const made = polls.filter(({ at }) => at >= from && at < to).length
    return made > allowed ? [`${source}: ${made} polls in ${seconds(to - from)} of restarts, allowed ${allowed}`] : []
  })
}

function atOnce({ provider }: Day): string[] {
  return [...provider.mostAtOnce].filter(([, most]) => most > 1).map(([host, most]) => `${host}: ${most} at once`)
}

/** Within one life for the host, over restarts for the source that was refused. */
function quiet({ provider: { served }, world }: Day): string[] {
  const lives = livesOf(world.polls)
  const until = new Map<string, { time: number; life: number }>()
  return served.flatMap((one) => {
    const { host, at, retryAfterMs } = one
    const wanted = until.get(host)
    if (retryAfterMs !== null) until.set(host, { time: at + retryAfterMs, life: lives(at) })
    return wanted !== undefined && at < wanted.time && wanted.life === lives(at)
      ? [`${host}: ${seconds(wanted.time - at)} early`]
      : []
  })
}

function livesOf(polls: readonly Poll[]): (at: number) => number {
  return (at) => polls.findLast((poll) => poll.at <= at)?.life ?? 1
}

function backoff(day: Day): string[] {
  const row = new Map<string, number>()
  const breaches: string[] = []
  for (const { before, poll, gap } of pairs(day)) {
    const failed = before.outcome === 'failed' ? (row.get(poll.source) ?? 0) + 1 : 0
    row.set(poll.source, failed)
    const most = day.world.warning.has(poll.source) ? MOST_WARNING_BACKOFF_MS : MOST_BACKOFF_MS
    const least = Math.min(most, MINUTE_MS * 2 ** (failed - 1)) * 0.9
    // A poll that was told to wait for its host, or given up by a stop, is no failure of its provider.
    const isRefusal = before.requests.length > 0 && before.life === poll.life && !wasQuiet(day, before)
    if (failed > 0 && isRefusal && gap < least) breaches.push(`${poll.source}: ${seconds(gap)} after failure ${failed}`)
    if (!isRefusal) row.set(poll.source, Math.max(0, failed - 1))
  }
  return breaches
}

/** No request of this poll reached a provider: its host wanted quiet. */
function wasQuiet({ provider: { served } }: Day, { at, requests }: Poll): boolean {
  const last = requests.at(-1)
  return last !== undefined && !served.some((one) => one.at === at && addressOf(last.url) === one.address)
}

export function addressOf(url: string): string {
  const { host, pathname, search } = new URL(url)
  return `${host}${pathname}${search}`
}

/** After a good poll the validators of its addresses are known; a source that needs the whole body says so. */
function conditional({ world, provider }: Day): string[] {
  const whole = new Map<string, Served>()
  // By address the polls that asked it; whole: without what is known, on purpose.
  const asked = new Map<string, { poll: Poll; isWhole: boolean }[]>()
  for (const poll of world.polls)
    for (const { url, conditional: isConditional } of poll.requests) {
      const address = addressOf(url)
      asked.set(address, [...(asked.get(address) ?? []), { poll, isWhole: !isConditional }])
    }
  const by = ({ address, at }: Served) =>
    (asked.get(address) ?? []).filter(({ poll }) => poll.at <= at && at <= (poll.until ?? poll.at))
  const breaches: string[] = []
  for (const one of provider.served) {
    const polls = by(one)
    const known = whole.get(one.address)
    if (known?.validators === true && !one.conditional && !polls.some(({ isWhole }) => isWhole))
      breaches.push(`${one.address} at ${new Date(one.at).toISOString()}`)
    if ((one.what === 'whole' || one.what === 'slow') && polls.some(({ poll }) => poll.outcome !== 'failed'))
      whole.set(one.address, one)
  }
  return breaches
}

function agent({ provider: { served, redirected } }: Day): string[] {
  const strange = served.filter((one) => !one.agent.includes(CONTACT)).map((one) => `${one.host}: ${one.agent}`)
  return redirected.withSecrets === 0 ? strange : [...strange, `${redirected.withSecrets} times a secret`]
}

function ends({ world, endedWithout }: Day): string[] {
  // That a feed is back ends its own silence.
  return [...world.ended].filter((name) => !name.startsWith('lookout|') && !endedWithout.has(name))
}

function coverage(day: Day): string[] {
  const unread = [...bySource(day)]
    .filter(([, polls]) => polls.every(({ outcome }) => outcome === 'failed'))
    .map(([source]) => `${source} was never read`)
  const met = new Set(day.provider.served.map(({ what }) => what))
  const unmet = day.whole
    ? FAULTS.filter((fault: Fault) => !met.has(fault)).map((fault) => `${fault} never occurred`)
    : []
  return [...unread, ...unmet, ...day.world.errors.slice(0, 5)]
}

function memory({ heaps }: Day): string[] {
  const third = Math.max(1, Math.floor(heaps.length / 3))
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const growth = median(heaps.slice(-third)) - median(heaps.slice(0, third))
  return growth > HEAP_GROWTH_MB ? [`${growth.toFixed(1)} MiB more at the end`] : []
}
