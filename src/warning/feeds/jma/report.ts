import { asBag, type Bag } from '../reading/json.ts'
import { looseText, looseTime } from '../reading/loose.ts'
import type { Element } from '../reading/xml.ts'

/** A report of the agency (`Report` of JMX, `Head` and `Body`), the same as XML and as the JSON of its pages. */
export interface Report {
  /** Joins the reports of one event. */
  eventId: string
  /** Epoch milliseconds. */
  time: number
  /** A drill or a test of the line: nothing of it is so. */
  isDrill: boolean
  /** `取消`: all of it is taken back. */
  isTakenBack: boolean
  title: string
  body: Bag
}

/** The report, or null when it is none. Keys stand without their namespace. */
export function reportOf(value: unknown): Report | null {
  const bag = plain(asBag(value))
  const head = asBag(bag?.['Head'])
  const body = asBag(bag?.['Body'])
  const time = looseTime(head?.['ReportDateTime'])
  const eventId = looseText(head?.['EventID'])
  if (head === null || body === null || time === null) return null
  return {
    eventId,
    time,
    isDrill: DRILL.test(looseText(asBag(bag?.['Control'])?.['Status'])) || DRILL.test(looseText(head['InfoKind'])),
    isTakenBack: looseText(head['InfoType']) === TAKEN_BACK,
    title: looseText(head['Title']),
    body
  }
}

/** `Control.Status`: `訓練` is a drill, `試験` a test; what happens is `通常`. */
const DRILL = /訓練|試験/

/** `InfoType` of a report that takes back an earlier one. */
export const TAKEN_BACK = '取消'

function plain(bag: Bag | null): Bag | null {
  if (bag === null) return null
  return Object.fromEntries(
    Object.entries(bag).map(([key, value]) => [key.slice(key.indexOf(':') + 1), plainValue(value)])
  )
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue)
  return plain(asBag(value)) ?? value
}

/** An element as the pages of the agency write it in JSON: text, or an object; what comes twice is a list. */
export function jsonOf({ children, text }: Element): unknown {
  if (children.length === 0) return text.trim()
  const bag = new Map<string, unknown[]>()
  for (const child of children) bag.set(child.name, [...(bag.get(child.name) ?? []), jsonOf(child)])
  return Object.fromEntries([...bag].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** One thing or several, as objects. */
export function several(value: unknown): Bag[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.map(asBag).filter((bag) => bag !== null)
}
