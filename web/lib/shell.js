// The head of every page: whether the station is heard, times that stay true, menus that close as one expects.
import { effect } from '../vendor/ui.js'
import { connect, connection } from './live.js'
import { keepAgo } from './time.js'

// The server says the words, in the language of the page.
const place = document.getElementById('connection')
if (place !== null) {
  effect(() => {
    place.dataset['state'] = connection.value
    place.textContent = place.dataset[connection.value] ?? ''
  })
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
