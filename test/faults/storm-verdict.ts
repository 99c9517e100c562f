import { channelsOf, isUrgent, type StormEvent } from './storm-events.ts'

/** One line of LOOKOUT_AIR_LOG. */
export interface AirLine {
  at: number
  radio: string
  channel: string | number
  text: string
  identity: { packetId?: number; senderTimestamp?: number }
}

export interface Verdict {
  sends: number
  /** Texts that went on the air again as the same packet, `critical` and above: allowed. */
  repeats: number
  problems: { rule: string; what: string }[]
}

export const RULES = [
  'below critical nothing is said twice',
  'critical and above is repeated as the same packet, or as a new one that says so (RPT)',
  'no event at critical or above is lost',
  'a cancel follows what was told, and nothing is told after it',
  'no two texts share an identity'
] as const

interface Said extends AirLine {
  thread: string
  revision: number
  kind: 'new' | 'update' | 'cancel'
  place: string
}

/** Judges what was on the air against what was accepted. Every line must be one of the storm's texts. */
export function judge(lines: readonly AirLine[], accepted: readonly StormEvent[]): Verdict {
  const said = lines.map(read)
  const events = groupBy(accepted, ({ thread_id }) => thread_id)
  const problems: Verdict['problems'] = []
  const repeats = judgeRepeats(said, events, problems)
  judgeLosses(said, events, problems)
  judgeCancels(said, events, problems)
  judgeIdentities(said, problems)
  return { sends: said.length, repeats, problems }
}

function read(line: AirLine): Said {
  const [, thread = '', revision = ''] = /(K\d{5})r(\d+)/i.exec(line.text) ?? []
  if (thread === '') throw new Error(`not a text of the storm: ${JSON.stringify(line)}`)
  const kind = /\bCANCEL\b/.test(line.text) ? 'cancel' : /\bUPD\b/.test(line.text) ? 'update' : 'new'
  return { ...line, thread, revision: Number(revision), kind, place: `${line.radio}:${line.channel}` }
}

type Threads = Map<string, StormEvent[]>

function judgeRepeats(said: Said[], events: Threads, problems: Verdict['problems']): number {
  let repeats = 0
  for (const [key, same] of groupBy(said, ({ thread, place, kind }) => `${thread} ${kind} on ${place}`)) {
    if (same.length < 2) continue
    repeats += same.length - 1
    const urgent = (events.get(same[0]?.thread ?? '') ?? []).some(({ severity }) => isUrgent(severity))
    const what = `${key}: ${same.map(({ text, identity }) => `${JSON.stringify(identity)} ${text}`).join(' | ')}`
    if (!urgent) problems.push({ rule: RULES[0], what })
    else if (new Set(same.filter(unmarked).map(({ identity }) => JSON.stringify(identity))).size > 1)
      problems.push({ rule: RULES[1], what })
  }
  return repeats
}

/** MC firmware puts the name of the node before a text. */
const unmarked = ({ text }: Said): boolean => !/^(?:[^:]*: )?RPT /.test(text)

/** An event counts as told where its revision, or a later one, was on the air; what was cancelled may have been withdrawn. */
function judgeLosses(said: Said[], events: Threads, problems: Verdict['problems']): void {
  for (const [thread, list] of events) {
    if (list.some(({ lifecycle }) => lifecycle === 'cancel')) continue
    for (const event of list.filter(({ severity }) => isUrgent(severity))) {
      for (const place of channelsOf(event)) {
        const told = said.some(
          (one) => one.thread === thread && one.place === place && one.revision >= Number(event.revision)
        )
        if (!told) problems.push({ rule: RULES[2], what: `${event.severity} ${event.title} on ${place}` })
      }
    }
  }
}

function judgeCancels(said: Said[], events: Threads, problems: Verdict['problems']): void {
  for (const [thread, list] of events) {
    const cancel = list.find(({ lifecycle }) => lifecycle === 'cancel')
    if (cancel === undefined) continue
    for (const [place, lines] of groupBy(
      said.filter((one) => one.thread === thread),
      (one) => one.place
    )) {
      const first = lines.findIndex(({ kind }) => kind === 'cancel')
      const told = lines.some(({ kind }) => kind !== 'cancel')
      if (first !== -1 && lines.slice(first).some(({ kind }) => kind !== 'cancel'))
        problems.push({ rule: RULES[3], what: `${thread} on ${place} was told after its cancel` })
      if (first !== -1 && !told)
        problems.push({ rule: RULES[3], what: `${thread} on ${place} was cancelled, never told` })
      if (first === -1 && isUrgent(cancel.severity))
        problems.push({ rule: RULES[3], what: `${thread} on ${place} was not cancelled` })
    }
  }
}

function judgeIdentities(said: Said[], problems: Verdict['problems']): void {
  for (const [identity, same] of groupBy(said, ({ radio, identity }) => `${radio} ${JSON.stringify(identity)}`)) {
    const texts = new Set(same.map(({ channel, text }) => `${channel} ${text}`))
    if (texts.size > 1) problems.push({ rule: RULES[4], what: `${identity}: ${[...texts].join(' | ')}` })
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
