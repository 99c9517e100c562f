// The head of every page: whether the station is heard, times that stay true, menus that close as one expects.
import { effect } from '../vendor/ui.js'
import { connect, connection, lastHeard } from './live.js'
import { keepAgo, when } from './time.js'

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
  document.documentElement.toggleAttribute('data-gone', isLost)
  if (!isLost) return known?.remove()
  if (known !== null) return
  const note = document.createElement('p')
  note.id = 'gone'
  note.className = 'banner bad'
  note.setAttribute('role', 'alert')
  note.textContent = words.replace('{time}', () => when(lastHeard()))
  document.querySelector('main')?.prepend(note)
}

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

connect()
keepAgo()
