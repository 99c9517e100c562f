import { eachInTurn } from '../reading/steps.ts'
import { childrenOf, childText, type Element } from '../reading/xml.ts'
import { type IndexEntry, leaf } from './index-entry.ts'

/** All that an index says of one alert. */
export interface IndexedAlert {
  /** Stays the same over polls: the CAP identifier, else the address, else the name of the entry. */
  key: string
  /** '' when the index does not say. */
  identifier: string
  link: string | null
  /** Changes when the alert does. */
  stamp: string
  alert: Element
}

/** One alert for all entries that share an identifier, or an address: indexes list them per area and language. */
export function* joinEntries(entries: readonly IndexEntry[]): Generator<void, IndexedAlert[]> {
  const groups = new Map<string, IndexEntry[]>()
  for (const entry of entries) {
    const key = entry.identifier || entry.link || entry.id
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  const alerts: IndexedAlert[] = []
  yield* eachInTurn([...groups], ([key, group]) => {
    alerts.push(joined(key, group))
  })
  return alerts
}

function joined(key: string, group: readonly IndexEntry[]): IndexedAlert {
  const heads = group[0]?.alert.children.filter(({ name }) => name !== 'info') ?? []
  const infos = joinInfos(group.flatMap(({ alert }) => childrenOf(alert, 'info')))
  const alert: Element = { name: 'alert', text: '', children: [...heads, ...infos] }
  return {
    key,
    identifier: group.find(({ identifier }) => identifier !== '')?.identifier ?? '',
    link: group.find(({ link }) => link !== null)?.link ?? null,
    stamp: childText(alert, 'sent'),
    alert
  }
}

const FACTS = ['severity', 'urgency', 'certainty', 'effective', 'onset', 'expires']

function joinInfos(infos: readonly Element[]): Element[] {
  const groups = new Map<string, Element[]>()
  for (const info of infos) {
    const key = JSON.stringify([textsOf(info, ['language', 'event']), textsOf(info, FACTS)])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [info])
    else group.push(info)
  }
  return withoutOtherTongues([...groups.values()].map(joinAreas))
}

function textsOf(info: Element, names: readonly string[]): string[] {
  return names.map((name) => childText(info, name))
}

function joinAreas(infos: readonly Element[]): Element {
  const [first = leaf('info', ''), ...more] = infos
  if (more.length === 0) return first
  const areas = infos.flatMap((info) => childrenOf(info, 'area'))
  const own = first.children.filter(({ name }) => name !== 'area').map((child) => withoutArea(child, areas))
  return { ...first, children: [...own, ...areas] }
}

/** `Yellow Wind Warning issued for Poland - Eastern coastal zone` speaks of one area of several. */
function withoutArea(child: Element, areas: readonly Element[]): Element {
  if (child.name !== 'headline') return child
  const suffix = areas.map((area) => ` - ${childText(area, 'areaDesc')}`).find((end) => child.text.trim().endsWith(end))
  return suffix === undefined || suffix === ' - '
    ? child
    : { ...child, text: child.text.trim().slice(0, -suffix.length) }
}

/** The same facts for the same areas, in an index that names no languages: the same info in other words. The first stays. */
function withoutOtherTongues(infos: readonly Element[]): Element[] {
  const seen = new Set<string>()
  return infos.filter((info) => {
    if (childText(info, 'language') !== '') return true
    const areas = childrenOf(info, 'area').map((area) => [codesOf(area), childText(area, 'polygon')])
    const key = JSON.stringify([textsOf(info, FACTS), areas])
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function codesOf(area: Element): string[] {
  return childrenOf(area, 'geocode').flatMap((geocode) => geocode.children.map(({ text }) => text.trim()))
}
