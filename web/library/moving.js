// Something that goes on in the station without messages is asked for: soon while it changes, then less and less often.
import { reloadSoon } from '../lib/follow.js'

const SOON_MS = 3000
const LATE_MS = 15_000

/** @param {string} id of the element that has `data-moves` while something goes on */
export function watchMoving(id) {
  const watched = document.getElementById(id)
  if (watched === null) return
  let wait = SOON_MS
  let timer = 0
  const again = () => {
    clearTimeout(timer)
    timer = window.setTimeout(look, wait)
  }
  const look = () => {
    wait = Math.min(wait * 1.5, LATE_MS)
    if (watched.dataset['moves'] !== undefined && document.visibilityState === 'visible') reloadSoon()
    again()
  }
  // It is still changing: worth looking at often.
  new MutationObserver(() => {
    wait = SOON_MS
    again()
  }).observe(watched, { subtree: true, childList: true, characterData: true, attributes: true })
  again()
}
