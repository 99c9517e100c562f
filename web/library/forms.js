// Forms with `data-stay` do their work without leaving the page: the station answers with the page as it is afterwards, and
// what differs is changed in place. Forms with `data-busy` leave, but show that something happens until then.

import { noAnswer } from '../lib/api.js'
import { takeIn } from '../lib/follow.js'
import { t } from '../lib/i18n.js'

/** @param {readonly string[]} parts elements that change */
export function stayOnPage(parts) {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement)) return
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null
    if (button?.getAttribute('aria-busy') === 'true') {
      event.preventDefault()
      return
    }
    if (form.dataset['busy'] !== undefined) showBusy(button, form.dataset['busy'])
    if (form.dataset['stay'] === undefined) return
    event.preventDefault()
    void submit(form, button, parts)
  })
  // Back from where a form led to: the page stands as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

/** @param {HTMLButtonElement | null} button @param {string} words */
function showBusy(button, words) {
  if (button === null) return
  button.setAttribute('aria-busy', 'true')
  button.textContent = words
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement | null} button @param {readonly string[]} parts */
async function submit(form, button, parts) {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) fields.append(name, String(value))
  if (button !== null && button.name !== '') fields.append(button.name, button.value)
  button?.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(form.action, { method: 'POST', body: fields, headers: { accept: 'text/html' } })
    const text = await answer.text()
    if (answer.ok) {
      takeIn(text, ['notice', ...parts])
      if (form.dataset['stay'] === 'clear') form.reset()
    } else showRefusal(text)
  } catch {
    tell(noAnswer().message)
  }
  button?.removeAttribute('aria-busy')
  // The button that was pressed may be gone with what it was about.
  if (document.activeElement === document.body) document.getElementById('main')?.focus()
}

/** The station says on a page of its own why it refused, and where one signs in. @param {string} text */
function showRefusal(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const way = page.querySelector('main a[href^="/sign-in"]')
  const said = page.querySelector('main .banner.bad')?.textContent ?? t('The station refused it.')
  tell(said, way?.getAttribute('href') ?? null)
}

/** @param {string} said @param {string | null} [signIn] */
function tell(said, signIn = null) {
  const line = document.createElement('p')
  line.className = 'banner bad'
  line.setAttribute('role', 'alert')
  line.textContent = said
  if (signIn !== null) {
    const link = document.createElement('a')
    link.href = signIn
    link.textContent = t('Sign in')
    line.append(' ', link)
  }
  const notice = document.getElementById('notice')
  notice?.replaceChildren(line)
  notice?.scrollIntoView({ block: 'nearest' })
}
