// The common part of the pages of events and messages: parts of the page drawn anew by the server, and a line that
// counts news.
import { t } from '../lib/i18n.js'

/** A storm of events is one fetch every two seconds. */
const PAUSE_MS = 2000

/**
 * Fetches this page again, at most every two seconds. What happens while it is on its way is asked for once more.
 * @param {() => (fresh: Document) => void} begin called when the page is asked for; what it answers takes the page
 * @returns {() => void} asks for it
 */
export function refresher(begin) {
  let isPlanned = false
  const fetchPage = async () => {
    isPlanned = false
    const take = begin()
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
    // A later message asks again; the head of the page says when the station is lost.
    if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), 'text/html'))
  }
  return () => {
    if (isPlanned) return
    isPlanned = true
    setTimeout(() => void fetchPage().catch(() => {}), PAUSE_MS)
  }
}

/**
 * Puts elements of a fresh page in the place of those of this one; what is not on both stays.
 * @param {Document} fresh
 * @param {Iterable<string>} ids
 */
export function renew(fresh, ids) {
  for (const id of ids) {
    const [now, next] = [document.getElementById(id), fresh.getElementById(id)]
    if (now !== null && next !== null && !now.isEqualNode(next)) exchange(now, next)
  }
}

const FOCUSABLE = 'a[href], button, input, select, summary'

/** Keeps open what the reader opened, and the focus where it was. @param {Element} now @param {Element} next */
function exchange(now, next) {
  const opened = next.querySelectorAll('details')
  for (const [index, { open }] of now.querySelectorAll('details').entries())
    opened[index]?.toggleAttribute('open', open)
  const focused = [...now.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement ?? now)
  now.replaceWith(next)
  const target = focused < 0 ? undefined : next.querySelectorAll(FOCUSABLE)[focused]
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/**
 * Says how many are new, with the way to them. Nothing moves under the reader's eyes.
 * @param {string} text
 * @param {string} href
 */
export function sayNews(text, href) {
  const place = document.getElementById('news')
  if (place === null) return
  const link = document.createElement('a')
  link.className = 'button'
  link.href = href
  link.textContent = `${text} – ${t('show')}`
  place.replaceChildren(link)
}

/** The address at which the page of the newest begins. */
export function newestPath() {
  return document.getElementById('news')?.dataset['all'] ?? location.pathname
}
