// An event makes the page be fetched again, and what differs is changed in place. The server draws the page, so there
// is one template and nothing to keep in step. What is the same is not touched: focus, scroll positions, selections and
// open details survive.
import { connection, onLive } from './live.js'

/** A storm of events is one fetch every two seconds. */
const PAUSE_MS = 2000
/** Alerts end by the clock too, and no message says so. */
const AT_LEAST_MS = 60_000
const PARTS = ['content', 'banners', 'trouble', 'as-of']
const TOPICS = ['decided', 'delivery', 'radio', 'source', 'config', 'reset']

/** @type {ReturnType<typeof setTimeout> | null} */
let planned = null
let lastTime = 0
let path = '/'
let parts = PARTS

async function reload() {
  planned = null
  lastTime = Date.now()
  // A guest may be given a copy of a moment ago otherwise, without the news that made us ask.
  const answer = await fetch(path, { headers: { accept: 'text/html' }, cache: 'no-cache' })
  if (!answer.ok) throw new Error(`the station answered ${answer.status}`)
  takeIn(await answer.text(), parts)
}

/** Makes these elements of the page as they are in another drawing of it. @param {string} text @param {readonly string[]} ids */
export function takeIn(text, ids) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  for (const id of ids) {
    const [now, next] = [document.getElementById(id), fresh.getElementById(id)]
    if (now !== null && next !== null) morph(now, next)
  }
  return fresh
}

/** Asks for the page again, but not at once when that was done just now. */
export function reloadSoon() {
  if (planned !== null) return
  const wait = Math.max(100, lastTime + PAUSE_MS - Date.now())
  planned = setTimeout(() => {
    reload().catch(() => {
      // The stream tells when the station is back; while it is, an answer that failed is asked for again.
      if (connection.value === 'live') reloadSoon()
    })
  }, wait)
}

/**
 * Follows the live stream until the page is left. Without anything said: the overview.
 * @param {{ path: string, parts: string[], topics: string[] }} [page] its address, the elements that change, what changes them
 */
export function follow(page) {
  if (page !== undefined) ({ path, parts } = page)
  onLive(page?.topics ?? TOPICS, reloadSoon)
  // The stream does not tell again of news that came before it was open, not for the first time either.
  let isLive = false
  connection.subscribe((state) => {
    if (state === 'live' && !isLive) reloadSoon()
    isLive = state === 'live'
  })
  setInterval(() => {
    if (document.visibilityState === 'visible' && Date.now() - lastTime > AT_LEAST_MS) reloadSoon()
  }, 10_000)
}

/**
 * Makes `from` like `to` (an element of the same name). Children with `data-key` are recognised wherever they moved. What has `data-own` is
 * a script's alone, and stays as that made it.
 * @param {Element} from
 * @param {Element} to
 */
function morph(from, to) {
  if (from.isEqualNode(to) || from.hasAttribute('data-own')) return
  copyAttributes(from, to)
  const keyed = new Map(
    [...from.children].flatMap((child) => {
      const key = keyOf(child)
      return key === null ? [] : [/** @type {const} */ ([key, child])]
    })
  )
  let at = from.firstChild
  for (const wanted of [...to.childNodes]) {
    const found = takePartner(at, wanted, keyed)
    if (found === null) {
      from.insertBefore(document.importNode(wanted, true), at)
      continue
    }
    // Moving an element takes its focus away; where it stands already it is left alone.
    if (found === at) at = at.nextSibling
    else from.insertBefore(found, at)
    if (found instanceof Element && wanted instanceof Element) morph(found, wanted)
    else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue
  }
  while (at !== null) {
    const next = at.nextSibling
    at.remove()
    at = next
  }
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute('data-key') : null
}

/**
 * The node of the page that becomes `wanted`: the one of the same key, else the next one if it is of the same kind.
 * @param {ChildNode | null} at
 * @param {ChildNode} wanted
 * @param {Map<string, Element>} keyed
 * @returns {ChildNode | null}
 */
function takePartner(at, wanted, keyed) {
  const key = keyOf(wanted)
  if (key !== null) {
    const same = keyed.get(key)
    keyed.delete(key)
    return same !== undefined && same.nodeName === wanted.nodeName ? same : null
  }
  return at !== null && at.nodeName === wanted.nodeName && keyOf(at) === null ? at : null
}

/**
 * Keeps open what the reader opened.
 * @param {Element} from
 * @param {Element} to
 */
function copyAttributes(from, to) {
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !(name === 'open' && from.nodeName === 'DETAILS')) from.removeAttribute(name)
  }
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value)
}
