import { describeSettings } from '../../../settings/describe.ts'
import type { Config } from '../../../settings/schema.ts'
import { type SettingWarning, type SettingWarningCode, settingWarnings } from '../../../settings/warnings.ts'
import { sourceName } from '../../../warning/feeds/settings.ts'
import type { HttpContext } from '../../server/context.ts'
import { type Asker, toldTo } from '../../server/guest.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'

interface Place {
  /** Settings at or below this pointer. */
  below: string
  page: string
  /** Shows the same settings from another side. */
  also?: string
  /** Codes that the editor of the page tells by itself, while somebody edits. */
  told?: readonly SettingWarningCode[]
}

/** Settings that have an editor of their own; every other is on the page of its section. */
const PLACES: readonly Place[] = [
  { below: '/coverage', page: '/coverage' },
  {
    below: '/notifications/region_routes',
    page: '/mesh-a/routing',
    also: '/mesh-b/routing',
    told: ['orphan_region', 'orphan_family']
  },
  { below: '/sources', page: '/sources' },
  { below: '/radios', page: '/radios' }
]

/** Told by readiness too (contract §13), on every page. */
const PROBLEMS: ReadonlySet<SettingWarningCode> = new Set(['tagging_off', 'imported_matrix_off'])

/** A setting that is accepted but probably not meant, as readiness tells its problems: with the place that mends it. */
export interface SettingNote {
  code: SettingWarningCode
  /** A pointer into the configuration. */
  path: string
  message: string
  /** The page of the setting, and the field on it where it has a name there. */
  link: string
}

/** The page a setting is changed on, without a field. Every pointer has one. */
export function pageOfSetting(pointer: string): string {
  const own = placeOf(pointer)
  if (own !== undefined) return own.page
  const section = pointer.split('/')[1] ?? ''
  return Object.hasOwn(describeSettings().members ?? {}, section) ? `/settings/${section}` : '/settings'
}

/** True of every page on which settings are changed. */
export function hasSettings(page: string): boolean {
  return page.startsWith('/settings') || PLACES.some((one) => one.page === page || one.also === page)
}

/** All of them, with sentences in the language of whoever asks; found once for a configuration. */
export function settingNotes({ config }: Pick<HttpContext, 'config'>, asker: Asker): SettingNote[] {
  return warningsIn(config.raw(), config.current()).map(({ code, path, reason }) => ({
    code,
    path,
    message: toldTo(reason, asker),
    link: linkTo(path, code, config.current())
  }))
}

const known = new WeakMap<Config, readonly SettingWarning[]>()

/** The configuration is frozen and replaced as a whole: what was found in one stays true of it. */
function warningsIn(raw: unknown, config: Config): readonly SettingWarning[] {
  const found = known.get(config) ?? settingWarnings(raw, config)
  known.set(config, found)
  return found
}

/** The notes of one page: the index of all settings has all, the editors tell some by themselves. */
export function notesOn(page: string, notes: readonly SettingNote[]): SettingNote[] {
  if (page === '/settings') return [...notes]
  const place = PLACES.find((one) => one.page === page || one.also === page)
  return notes.filter(
    ({ code, path }) => pageOfSetting(path) === (place?.page ?? page) && place?.told?.includes(code) !== true
  )
}

/** The notes that no list of the overview says yet: neither its problems nor its notes on the matrix. */
export function notesOnOverview(notes: readonly SettingNote[]): SettingNote[] {
  return notes.filter(({ code, path }) => !PROBLEMS.has(code) && placeOf(path)?.told?.includes(code) !== true)
}

/** More would push what the page is for off the screen of a phone. */
const MOST_OPEN = 1

/** A list for the operator: keys and values of the configuration are nobody else's. Always an element, so that a script can renew it. */
export function notesSection(notes: readonly SettingNote[], t: Translate): Html {
  if (notes.length === 0) return html`<div id="setting-notes"></div>`
  const items = notes.map(
    ({ path, message, link }) => html`<li><a href="${link}"><code>${path}</code></a>: ${message}</li>`
  )
  const isMany = notes.length > MOST_OPEN
  const head = html`<h2 id="notes-title">${t('Notes on the settings')}${isMany ? ` (${notes.length})` : null}</h2>`
  const list = html`<ul>${items}</ul>`
  const shown = isMany
    ? html`<details class="folded"><summary class="line">${head}</summary>${list}</details>`
    : html`${head}${list}`
  return html`<div id="setting-notes"><section class="problems mild" aria-labelledby="notes-title">${shown}</section></div>`
}

function placeOf(pointer: string): Place | undefined {
  return PLACES.find(({ below }) => pointer === below || pointer.startsWith(`${below}/`))
}

/** Cards are named by what they show; a field of a form by its pointer, and an unknown key has none: what it stands in does. */
function linkTo(pointer: string, code: SettingWarningCode, { sources, radios }: Config): string {
  const page = pageOfSetting(pointer)
  const [, section, index] = pointer.split('/')
  const source = section === 'sources' ? sources[Number(index)] : undefined
  if (source !== undefined) return `${page}#source-${encodeURIComponent(sourceName(source))}`
  const radio = section === 'radios' ? radios[Number(index)] : undefined
  if (radio !== undefined) return `${page}#radio-${encodeURIComponent(radio.id)}`
  const field = code === 'unknown_key' ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer
  return page.startsWith('/settings/') && field.split('/').length > 2 ? `${page}#set${encodeURI(field)}` : page
}
