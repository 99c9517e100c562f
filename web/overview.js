// The overview follows the live stream: when something happened, the page is fetched again and its parts are replaced.
// The server draws the page, so there is one template and nothing to keep in step.

const PAUSE_MS = 2000
const PARTS = ['content', 'banners']

const state = document.getElementById('live')
let waiting = false

/** @param {string} text */
function say(text) {
  if (state && state.textContent !== text) state.textContent = text
}

async function reload() {
  waiting = false
  const answer = await fetch('/', { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const id of PARTS) {
    const next = fresh.getElementById(id)
    if (next) document.getElementById(id)?.replaceWith(next)
  }
}

// A storm of events is one reload every two seconds.
function reloadSoon() {
  if (waiting) return
  waiting = true
  setTimeout(() => reload().catch(() => say('The station does not answer. Trying again …')), PAUSE_MS)
}

const stream = new EventSource('/api/stream')
stream.onopen = () => {
  say('Live')
  reloadSoon()
}
stream.onerror = () => say('Connection lost. Trying again …')
for (const event of ['decided', 'delivery', 'radio', 'config', 'reset']) stream.addEventListener(event, reloadSoon)
