// Restarts the station and waits until it is back. The server has said every sentence; the script shows the one that is true now.
import '/static/lib/shell.js'
import { ApiError, get, send } from '/static/lib/api.js'

const ASK_MS = 1000
/** After this long it is said that something may be wrong. */
const LONG_MS = 60_000

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('#restart button'))
const status = document.getElementById('restart-status')

/** @param {'asked' | 'down' | 'back' | 'long' | 'refused'} name @param {string} [why] */
function say(name, why) {
  if (status !== null) status.textContent = why ?? status.dataset[name] ?? ''
}

async function restart() {
  if (button !== null) button.disabled = true
  say('asked')
  try {
    const { body } = await send('/api/restart')
    await follow(body.started_at, Date.now())
  } catch (error) {
    say('refused', error instanceof ApiError ? error.problem.detail : undefined)
    if (button !== null) button.disabled = false
  }
}

/** @param {string} before when the old process began @param {number} since */
async function follow(before, since) {
  const now = await startedAt()
  if (now !== null && now !== before) {
    say('back')
    location.reload()
    return
  }
  if (now === null) say(Date.now() - since > LONG_MS ? 'long' : 'down')
  setTimeout(() => void follow(before, since), ASK_MS)
}

/** Null while nobody answers. @returns {Promise<string | null>} */
async function startedAt() {
  try {
    return (await get('/api/status')).body.started_at
  } catch {
    return null
  }
}

if (button !== null) {
  button.disabled = false
  button.addEventListener('click', () => void restart())
}
