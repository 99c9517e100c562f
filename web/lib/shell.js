// The head of every page: whether the station is heard, times that stay true, menus that close as one expects.
import { effect } from '../vendor/ui.js'
import { connect, connection, lastHeard, onLive } from './live.js'
import { dayTime, keepAgo, when } from './time.js'

// The server says the words, in the language of the page.
const place = document.getElementById('connection')
if (place !== null) {
  effect(() => {
    place.dataset['state'] = connection.value
    place.textContent = place.dataset[connection.value] ?? ''
    tellAge(connection.value === 'lost', place.dataset['gone'] ?? '')
  })
}

/**
 * Marks the age of a page without its station: what was good may not be so any more, its green turns grey, and the page
 * says as of when.
 * @param {boolean} isLost @param {string} words
 */
function tellAge(isLost, words) {
  const known = document.getElementById('gone')
  if (isLost === (known !== null)) return
  const main = document.querySelector('main')
  const before = main?.getBoundingClientRect().top ?? 0
  document.documentElement.toggleAttribute('data-gone', isLost)
  if (known === null) main?.before(goneNote(words))
  else known.remove()
  // Nothing moves under a finger: the words lie over the upper edge until somebody scrolls up.
  const moved = (main?.getBoundingClientRect().top ?? 0) - before
  scrollBy(0, moved)
}

/** @param {string} words */
function goneNote(words) {
  const note = document.createElement('p')
  note.id = 'gone'
  note.className = 'banner bad'
  note.setAttribute('role', 'alert')
  note.textContent = words.replace('{time}', () => when(lastHeard()))
  return note
}

// The time in the head is the one at which the station was heard last: it stands still when nothing comes any more.
const clock = document.getElementById('heard')
function tick() {
  const text = dayTime(lastHeard())
  if (clock !== null && connection.value === 'live' && clock.textContent !== text) clock.textContent = text
}
setInterval(tick, 5000)

/** @type {NodeListOf<HTMLDetailsElement>} */
const menus = document.querySelectorAll('details.menu')

/** @param {Element | null} except */
function closeMenus(except) {
  for (const menu of menus) if (menu !== except) menu.open = false
}
document.addEventListener('click', ({ target }) =>
  closeMenus(target instanceof Element ? target.closest('details.menu') : null)
)
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  const open = document.activeElement?.closest('details.menu[open]')
  closeMenus(null)
  open?.querySelector('summary')?.focus()
})

/** A storm of news is one question in so many ms; and some problems begin by the clock alone. */
const TROUBLE_PAUSE_MS = 5000
const TROUBLE_MS = 60_000
const trouble = document.getElementById('trouble')
let isAsking = false

/** Asks what is wrong now (contract §13); an answer that does not come changes nothing: the connection is told beside it. */
async function askTrouble() {
  isAsking = false
  const answer = await fetch('/api/status')
  if (trouble === null || !answer.ok) return
  /** @type {{ readiness: { problems: { message: string }[] } }} */
  const { readiness } = await answer.json()
  const { problems } = readiness
  const many = (trouble.dataset['many'] ?? '').replace('{count}', String(problems.length))
  const said = problems.length === 1 ? (problems[0]?.message ?? '') : many
  if (problems.length === 0) return trouble.replaceChildren()
  const link = trouble.querySelector('a') ?? document.createElement('a')
  link.href = '/#problems'
  if (link.textContent !== said) link.textContent = said
  trouble.replaceChildren(link)
}

function troubleSoon() {
  if (isAsking) return
  isAsking = true
  setTimeout(() => askTrouble().catch(() => troubleSoon()), TROUBLE_PAUSE_MS)
}
if (trouble !== null) {
  onLive(['radio', 'source', 'config', 'reset'], troubleSoon)
  setInterval(troubleSoon, TROUBLE_MS)
}

const NOTES = 'setting-notes'

/** Notes on the settings are the station's to find: after a change the page is drawn anew, and they are taken from it. */
async function askNotes() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-cache' })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(NOTES)
  if (fresh !== null) document.getElementById(NOTES)?.replaceWith(fresh)
}
// The page that follows the stream by itself does so with these, too.
if (document.querySelector(`main > #${NOTES}`) !== null)
  onLive(['config'], () => {
    // Without an answer they stay as they are; that the station is gone is told beside them.
    askNotes().catch(() => undefined)
  })

connect()
keepAgo()
