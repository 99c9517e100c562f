// The reason of a refusal, in the page; with the way to sign in where that is what is missing.
import { ApiError } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { html } from '../vendor/ui.js'

/** @typedef {{ detail: string, signIn: boolean }} Refusal */

/**
 * The words for people about a failure; whatever is no refusal of the station is a bug and thrown again.
 * @param {unknown} error
 * @returns {Refusal}
 */
export function refusalOf(error) {
  if (!(error instanceof ApiError)) throw error
  return { detail: error.message, signIn: error.status === 401 || error.status === 403 }
}

/** @param {{ refusal: Refusal | null }} props */
export function Problem({ refusal }) {
  if (refusal === null) return null
  const back = encodeURIComponent(location.pathname + location.search)
  return html`<p class="refusal" role="alert">${refusal.detail}
    ${refusal.signIn ? html` <a href=${`/sign-in?back=${back}`}>${t('Sign in')}</a>` : null}</p>`
}
