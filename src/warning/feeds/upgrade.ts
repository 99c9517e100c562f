import type { LookoutEvent } from '../../model/event.ts'

/**
 * Pairs an event with the one that its office upgrades to it (VTEC UPG). The product has both, and neither names the
 * other.
 */

/** Phenomena of one kind of hazard: a High Wind Watch becomes a High Wind Warning or a Wind Advisory, never a Winter Storm Warning. */
const KINDS = [
  'WS BZ IS LE LB HS SN SB BS IP ZR WW SQ',
  'HW WI EW LW',
  'FZ HZ FR',
  'WC EC CW',
  'EH XH HT',
  'FW',
  'GL SR HF SC SE BW SI SW RB UP ZY HU TR TY',
  'HU TR TY HI TI SS',
  'FF FA FL HY',
  'CF LS SS',
  'SU BH RP',
  'TO SV',
  'FG ZF MF',
  'DS DU',
  'AF VO MH'
].map((codes) => new Set(codes.split(' ')))

/** Actions that put an event where it was not in force before. */
const TAKES_OVER = new Set(['NEW', 'EXA', 'EXB'])

interface Told {
  office: string
  phenomenon: string
  significance: string
  action: string
  event: LookoutEvent
}

/**
 * The events with who replaces whom: `data.replaces` names what an event was before, in all its places, and `data.replaced_by` what
 * one became. A warning speaks for what it replaces, whose end stays silent; an advisory does only where it is heard, so that
 * what it replaces is cancelled, after it (docs/interface.md §2).
 */
export function withUpgrades(events: readonly LookoutEvent[]): LookoutEvent[] {
  const all = events.flatMap(toldBy)
  const upgraded = all.filter(({ action }) => action === 'UPG')
  if (upgraded.length === 0) return [...events]
  const heirs = all.filter(({ action }) => TAKES_OVER.has(action))
  const lowered: LookoutEvent[] = []
  const rest = events.flatMap((event) => {
    const was = upgraded.find((one) => one.event === event)
    if (was === undefined) return [heirOf(event, heirs, upgraded)]
    const replaced = replacedBy(was, heirsOf(was, heirs))
    if (replaced.lifecycle !== 'cancel') return [replaced]
    lowered.push(replaced)
    return []
  })
  return [...rest, ...lowered]
}

function toldBy(event: LookoutEvent): Told[] {
  const { vtec } = event.data
  const [office = '', phenomenon = '', significance = ''] = vtec?.key.split('.') ?? []
  return vtec === undefined ? [] : [{ office, phenomenon, significance, action: vtec.action, event }]
}

/** One product is sent at one time. */
function succeeds(heir: Told, was: Told): boolean {
  const { phenomenon, significance, office, event } = heir
  if (office !== was.office || event.sent_at !== was.event.sent_at) return false
  if (phenomenon === was.phenomenon) return significance !== was.significance
  return KINDS.some((kind) => kind.has(phenomenon) && kind.has(was.phenomenon))
}

function heirsOf(was: Told, heirs: readonly Told[]): Told[] {
  return heirs.filter((heir) => succeeds(heir, was) && overlap(heir.event, was.event))
}

const isWarning = ({ significance }: Told): boolean => significance === 'W'

function overlap(a: LookoutEvent, b: LookoutEvent): boolean {
  return a.zones.some((zone) => b.zones.includes(zone))
}

function heirOf(event: LookoutEvent, heirs: readonly Told[], upgraded: readonly Told[]): LookoutEvent {
  const heir = heirs.find((one) => one.event === event)
  if (heir === undefined) return event
  const was = upgraded.filter((one) => succeeds(heir, one) && overlap(event, one.event))
  // A watch of snow may become a warning above, and an advisory below: it was raised.
  const isLess = heir.significance !== 'W' && was.some((one) => heirsOf(one, heirs).some(isWarning))
  if (isLess) return event
  const zones = new Set(was.flatMap((one) => one.event.zones))
  const names = [...new Set(was.flatMap((one) => one.event.data.event_name ?? []))]
  const [name] = names
  if (name === undefined || names.length > 1 || !event.zones.every((zone) => zones.has(zone))) return event
  return { ...event, data: { ...event.data, replaces: name } }
}

function replacedBy({ event }: Told, became: readonly Told[]): LookoutEvent {
  const [heir] = became
  if (heir === undefined || became.some(isWarning)) return event
  const { thread_id, data } = heir.event
  return {
    ...event,
    lifecycle: 'cancel',
    data: { ...event.data, replaced_by: { thread_id, event_name: data.event_name ?? '' } }
  }
}
