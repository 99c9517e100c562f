import type { Lifecycle } from '../../../model/event.ts'

/** P-VTEC actions, NWS Directive 10-1703. */
export const VTEC_ACTIONS = ['NEW', 'CON', 'EXT', 'EXA', 'EXB', 'UPG', 'CAN', 'EXP', 'COR', 'ROU'] as const
export type VtecAction = (typeof VTEC_ACTIONS)[number]

/** One P-VTEC string. Times are epoch milliseconds in whole minutes. */
export interface Vtec {
  /** O operational, T test, E experimental, X experimental VTEC in an operational product. */
  product: 'O' | 'T' | 'E' | 'X'
  action: VtecAction
  /** Four letters: `KBOI`. */
  office: string
  phenomenon: string
  significance: string
  /** Event tracking number, 1…9999; numbers restart each year. */
  number: number
  /** Null: the event is already running. */
  start: number | null
  /** Null: until further notice. */
  end: number | null
}

const PVTEC = /\/([OTEX])\.([A-Z]{3})\.([A-Z]{4})\.([A-Z]{2})\.([A-Z])\.(\d{4})\.(\d{6}T\d{4}Z)-(\d{6}T\d{4}Z)\//g

const UNSPECIFIED = '000000T0000Z'

const LIFECYCLE: Record<VtecAction, Lifecycle> = {
  NEW: 'new',
  CON: 'update',
  EXT: 'update',
  EXA: 'update',
  EXB: 'update',
  COR: 'update',
  ROU: 'update',
  CAN: 'cancel',
  EXP: 'expire',
  // The upgrading event speaks for it: upgrade.ts finds it.
  UPG: 'expire'
}

/** Every well-formed P-VTEC string in a text, in order; hydrologic VTEC lines and impossible times are left out. */
export function parseVtec(text: string): Vtec[] {
  return [...text.matchAll(PVTEC)].flatMap((match) => {
    const [, product, action, office = '', phenomenon = '', significance = '', number, from = '', to = ''] = match
    const start = timeOf(from)
    const end = timeOf(to)
    if (!isProduct(product) || !isAction(action) || start === undefined || end === undefined) return []
    return [{ product, action, office, phenomenon, significance, number: Number(number), start, end }]
  })
}

function isProduct(text: string | undefined): text is Vtec['product'] {
  return text === 'O' || text === 'T' || text === 'E' || text === 'X'
}

function isAction(text: string | undefined): text is VtecAction {
  return VTEC_ACTIONS.some((action) => action === text)
}

/** Null for `000000T0000Z`, undefined for a time that does not exist. VTEC began in 2005: years are 20yy. */
function timeOf(text: string): number | null | undefined {
  if (text === UNSPECIFIED) return null
  const iso = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}T${text.slice(7, 9)}:${text.slice(9, 11)}:00.000Z`
  const ms = Date.parse(iso)
  return Number.isNaN(ms) || new Date(ms).toISOString() !== iso ? undefined : ms
}

/** The string `parseVtec` reads back. */
export function formatVtec(vtec: Vtec): string {
  const number = String(vtec.number).padStart(4, '0')
  const event = [vtec.product, vtec.action, vtec.office, vtec.phenomenon, vtec.significance, number].join('.')
  return `/${event}.${formatPoint(vtec.start)}-${formatPoint(vtec.end)}/`
}

function formatPoint(ms: number | null): string {
  if (ms === null) return UNSPECIFIED
  const iso = new Date(ms).toISOString()
  return `${iso.slice(2, 10).replaceAll('-', '')}T${iso.slice(11, 16).replace(':', '')}Z`
}

/** The point in the life of its event at which a message with this action stands. */
export function vtecLifecycle(action: VtecAction): Lifecycle {
  return LIFECYCLE[action]
}

/**
 * Year of first issue, UTC, because tracking numbers restart each year: that of the message for NEW,
 * else the earliest of the message, the start of the event and the messages it refers to. Times are epoch milliseconds.
 */
export function vtecYear(vtec: Vtec, sent: number, earlier: readonly number[] = []): number {
  if (vtec.action === 'NEW') return new Date(sent).getUTCFullYear()
  const first = Math.min(sent, ...(vtec.start === null ? [] : [vtec.start]), ...earlier)
  return new Date(first).getUTCFullYear()
}

/** The event key: office.phenomenon.significance.number.year. */
export function vtecKey(vtec: Vtec, year: number): string {
  const number = String(vtec.number).padStart(4, '0')
  return [vtec.office, vtec.phenomenon, vtec.significance, number, year].join('.')
}

/** The string that speaks for the message: the first that is not over, else the first. Tests never speak. */
export function leadingVtec(all: readonly Vtec[]): Vtec | null {
  const real = all.filter(({ product }) => product !== 'T')
  const running = real.find(({ action }) => !['cancel', 'expire'].includes(vtecLifecycle(action)))
  return running ?? real[0] ?? null
}

/** The begin of the event, if that is later than `sent`; else null. Epoch milliseconds. */
export function beginsLater(vtec: Vtec | null, sent: number): number | null {
  const start = vtec?.start ?? null
  return start !== null && start > sent ? start : null
}
