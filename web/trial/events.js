// The event that is tried: a stored one as it is, the same as if it had just come, or one that is only described. Pure.

/** @typedef {Record<string, any>} EventInput what `POST /api/events` takes */

/** Fields that the list of events adds to an event. */
const ADDED = ['seq', 'decision', 'reason', 'code', 'received_at']
const UGC = /^[A-Z]{2}[CZ](?:\d{3}|ALL)$/

/**
 * A stored event as it was sent.
 * @param {Record<string, any>} stored
 * @returns {EventInput}
 */
export function asStored(stored) {
  return Object.fromEntries(Object.entries(stored).filter(([key]) => !ADDED.includes(key)))
}

/**
 * A stored event as if it came now, for the first time: nothing was told of it, and it lasts as long as it did.
 * @param {Record<string, any>} stored
 * @param {number} now
 * @returns {EventInput}
 */
export function asNew(stored, now) {
  const { id, sent_at, expires, onset, ...rest } = asStored(stored)
  const later = now - Date.parse(sent_at)
  /** @param {string | null} time */
  const moved = (time) => (time === null ? null : new Date(Date.parse(time) + later).toISOString())
  return {
    ...rest,
    id: `${id}~trial`.slice(-256),
    thread_id: `trial:${now}`,
    revision: '',
    lifecycle: 'new',
    sent_at: new Date(now).toISOString(),
    onset: moved(onset ?? null),
    expires: moved(expires ?? null)
  }
}

/**
 * @typedef {object} Description
 * @property {string} family
 * @property {string} severity
 * @property {string} title
 * @property {'regions' | 'point' | 'codes'} place
 * @property {string[]} regions
 * @property {string} lat
 * @property {string} lon
 * @property {string} radius kilometres
 * @property {string} codes
 */

/**
 * The event that was described; the station says what is wrong with it.
 * @param {Description} described
 * @param {number} now
 * @returns {EventInput}
 */
export function describedEvent({ family, severity, title, place, ...where }, now) {
  const event = { id: 'trial', source: 'trial', thread_id: `trial:${now}`, family, severity, title: title.trim() }
  if (place === 'regions') return { ...event, regions: where.regions }
  if (place === 'point') return { ...event, ...pointOf(where) }
  const codes = where.codes
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
  return { ...event, zones: codes.filter((code) => UGC.test(code)), same: codes.filter((code) => !UGC.test(code)) }
}

/** @param {{ lat: string, lon: string, radius: string }} where */
function pointOf({ lat, lon, radius }) {
  const at = { lat: numberOf(lat), lon: numberOf(lon) }
  return radius.trim() === '' ? at : { circle: { ...at, radius_km: numberOf(radius) } }
}

/** A comma is a decimal sign in half of the world. What is no number goes as it is: the station says so. @param {string} text */
function numberOf(text) {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || Number.isNaN(value) ? text : value
}
