// One way to ask the station: JSON in and out, refusals as they are told (RFC 9457), a lost connection as what it is.

import { t } from './i18n.js'

/**
 * @typedef {object} Problem
 * @property {number} status
 * @property {string} title
 * @property {string} detail
 * @property {{ path: string, code: string, message: string }[]} [errors]
 * @property {{ hash: string, filename: string, status: string }} [existing] of a file that is here already
 */

/** The refusal of the station, or its silence (status 0). */
export class ApiError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail)
    this.status = problem.status
    this.problem = problem
  }
}

/** Nobody answered. A browser says why in words for programmers; people want to know what they can do. */
export function noAnswer() {
  return new ApiError({
    status: 0,
    title: 'no answer',
    detail: t(
      'The station does not answer. See that this device is in its network and that the station has power, then try again.'
    )
  })
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<{ body: any, revision: string | null }>}
 */
async function ask(path, options) {
  /** @type {Response} */
  let answer
  try {
    answer = await fetch(path, options)
  } catch (error) {
    // Whoever gave a question up wants no explanation.
    if (options.signal?.aborted) throw error
    throw noAnswer()
  }
  const isJson = (answer.headers.get('content-type') ?? '').includes('json')
  const body = isJson ? await answer.json() : null
  if (!answer.ok) {
    throw new ApiError(body ?? { status: answer.status, title: answer.statusText, detail: answer.statusText })
  }
  return { body, revision: answer.headers.get('etag')?.replaceAll('"', '') ?? null }
}

/** @param {string} path */
export function get(path) {
  return ask(path, { headers: { accept: 'application/json' } })
}

/**
 * Sends a document or an order. `revision` makes it fail with 412 when somebody else has changed the document.
 * @param {string} path
 * @param {unknown} [body]
 * @param {{ revision?: string | null, method?: 'POST' | 'PUT' | 'DELETE', signal?: AbortSignal | null }} [options]
 */
export function send(path, body, { revision = null, method = 'POST', signal = null } = {}) {
  /** @type {Record<string, string>} */
  const headers = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (revision) headers['if-match'] = `"${revision}"`
  return ask(path, { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
}

/**
 * The data that the server put into the page for its script (`<script type="application/json" id="data">`); null
 * without.
 * @returns {any}
 */
export function pageData() {
  const text = document.getElementById('data')?.textContent
  return text ? JSON.parse(text) : null
}
