// Entries of a list of the configuration (sources, radios), edited one at a time in a form of their own.
import { ApiError, get, send } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { html, useMemo } from '../vendor/ui.js'
import { Form } from './form.js'
import { Settings } from './groups.js'
import { SaveBar } from './save-bar.js'

/**
 * @typedef {import('../shared/values.js').Setting} Setting
 * @typedef {{ settings: Record<string, any>, revision: string, restart?: string[] }} Served
 */

/**
 * @param {{ pointer: string, setting: Setting, base: unknown, revision: string, suggestions: Record<string, string[]>,
 *   skip?: string[], onSaved: (served: any) => void, onCancel: () => void }} props
 */
export function EntryForm({ pointer, setting, base, revision, suggestions, skip = [], onSaved, onCancel }) {
  // One form for as long as it is open: what the station tells meanwhile does not take away what was typed.
  const form = useMemo(() => new Form({ pointer, setting, base, revision, suggestions, onSaved }), [pointer])
  void form.draft.value
  void form.problem.value
  return html`<form class="entry-form" autocomplete="off" onSubmit=${(/** @type {any} */ event) => {
    event.preventDefault()
    void form.save()
  }}>
    <${Settings} form=${form} skip=${skip} />
    <${SaveBar} form=${form} onCancel=${onCancel} what=${form.isNew ? t('Add') : t('Save')} />
  </form>`
}

/**
 * One small change, such as off and on. Refused when somebody else was faster, so that an index never means another entry.
 * @param {{ set?: Record<string, unknown>, remove?: string[] }} change
 * @param {string} revision
 * @returns {Promise<{ served: any } | { problem: { status: number, detail: string } }>}
 */
export async function quickChange(change, revision) {
  try {
    return { served: (await send('/api/settings', change, { revision })).body }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** The settings as they are now. @returns {Promise<Served>} */
export async function freshSettings() {
  return (await get('/api/settings')).body
}

/**
 * @param {unknown} error
 * @returns {{ status: number, detail: string }}
 */
export function problemOf(error) {
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, detail: error.message }
}
