import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { type JsonValue, memberOf } from '../../../platform/config/json.ts'
import { pointerOf } from '../../../platform/config/locate.ts'
import { KEPT } from '../../../platform/config/masked.ts'
import { describeSettings, type Setting } from '../../../settings/describe.ts'
import type { Services } from '../../api/services.ts'
import { type ServedSettings, servedSettings } from '../../api/settings.ts'
import { suggestionsOf } from '../../editing/suggestions.ts'
import type { BroadcastPreview, HttpContext } from '../../server/context.ts'
import type { Identity } from '../../server/identity.ts'
import { notFound } from '../../server/problem.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

/** Sections and parts of sections that have an editor of their own. */
const OWN_EDITORS: Readonly<Record<string, string>> = {
  '/coverage/areas': '/coverage',
  '/notifications/region_routes': '/mesh-a/routing',
  '/sources': '/sources',
  '/radios': '/radios'
}
const MAX_FOUND = 60

export const settingsQuery = v.object({ q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), '') })

interface View {
  t: Translate
  served: ServedSettings
  locked: boolean
}

async function viewOf(context: HttpContext, headers: IncomingHttpHeaders, identity: Identity): Promise<View> {
  const served = await servedSettings(context, identity)
  return { t: translator(languageOf(headers)), served, locked: context.config.status().locked }
}

/** `GET /settings`: every section, and a search over all settings that needs no script. */
function readSettingsPage({ context }: Services): Handler<v.InferOutput<typeof settingsQuery>, undefined> {
  return async ({ query: { q }, headers, identity }) => {
    const view = await viewOf(context, headers, identity)
    const body = [staleNote(view), searchForm(view, q), q === '' ? sectionList(view) : foundList(view, q)]
    return page(context, {
      title: view.t('Settings'),
      path: '/settings',
      body,
      headers,
      identity,
      style: 'pages/settings/style.css'
    })
  }
}

/** `GET /settings/:section`: every value of a section and what it means; a script makes a form of it. */
function readSectionPage({ context }: Services): Handler<unknown, undefined> {
  return async ({ params, headers, identity }) => {
    const section = params['section'] ?? ''
    const sections = describeSettings().members ?? {}
    const setting = Object.hasOwn(sections, section) ? sections[section] : undefined
    if (setting === undefined) throw notFound()
    const view = await viewOf(context, headers, identity)
    const own = OWN_EDITORS[`/${section}`]
    const broadcasts = section === 'notifications' ? await context.broadcasts() : null
    const value = view.served.settings[section]
    const data = {
      section,
      setting,
      own: OWN_EDITORS,
      ...view.served,
      stale_config: view.locked,
      settings: value === undefined ? {} : { [section]: value },
      suggestions: suggestionsOf(context),
      broadcasts
    }
    const script = own === undefined ? { script: 'pages/settings/script.js', data } : {}
    return page(context, {
      title: view.t.term(setting.title),
      path: '/settings',
      body: sectionBody(view, { section, setting, broadcasts }),
      headers,
      identity,
      style: 'pages/settings/style.css',
      ...script
    })
  }
}

function sectionBody(
  view: View,
  { section, setting, broadcasts }: { section: string; setting: Setting; broadcasts: BroadcastPreview[] | null }
): Html {
  const { t, served } = view
  const own = OWN_EDITORS[`/${section}`]
  const rows = rowsOf(view, setting, { value: served.settings[section], path: [section], title: t.term(setting.title) })
  return html`<p class="crumbs"><a href="/settings">${t('All settings')}</a></p>
${staleNote(view)}<p>${t.term(setting.description ?? '')}</p>
${own === undefined ? null : html`<p><a href="${own}">${t('These settings have a page of their own.')}</a></p>`}
<div id="editor"><p class="live">${t('Editing needs a browser with scripts. The settings stand in config.json.')}</p>
${valueTable(t, rows)}${broadcasts === null ? null : broadcastTable(t, broadcasts)}</div>`
}

function staleNote({ t, served, locked }: View): Html | null {
  if (!locked) return null
  return html`<p class="banner bad">${t('The file config.json is not valid: nothing can be saved before it is repaired.')} ${served.problem}</p>`
}

function searchForm({ t }: View, q: string): Html {
  return html`<form class="search" method="get" action="/settings" role="search"><label for="q">${t('Search the settings')}</label>
<input id="q" name="q" type="search" value="${q}" maxlength="100"><button type="submit">${t('Search')}</button></form>
`
}

function sectionList({ t, served }: View): Html {
  const items = Object.entries(describeSettings().members ?? {}).map(([section, setting]) => {
    const value = served.settings[section]
    const changed =
      typeof value === 'object' && value !== null ? Object.keys(value).length : value === undefined ? 0 : 1
    const count =
      changed === 0
        ? t('all at their defaults')
        : setting.type === 'list'
          ? t('{count} entries', { count: changed })
          : t('{count} set', { count: changed })
    return html`<li><a href="${OWN_EDITORS[`/${section}`] ?? `/settings/${section}`}">${t.term(setting.title)}</a>
<p>${t.term(setting.description ?? '')}</p><small>${count}</small></li>
`
  })
  const keys = html`<li><a href="/settings/keys">${t('API keys')}</a>
<p>${t('Keys of language models and embedding servers. They are not part of the configuration: they stand in keys.env.')}</p></li>
`
  const audit = html`<li><a href="/audit">${t('Who did what')}</a>
<p>${t('Changes of settings, with what was before, silences, sign-ins, and what left; a change is taken back with one press.')}</p></li>
`
  return html`<ul class="sections">${items}${keys}${audit}</ul>
`
}

interface Row {
  pointer: string
  /** As it stands in the file. */
  key: string
  title: string
  setting: Setting
  value: JsonValue | undefined
}

/** Every single value below a setting; lists and maps are one row, as text. */
function rowsOf(
  view: View,
  setting: Setting,
  at: { value: JsonValue | undefined; path: string[]; title: string }
): Row[] {
  if (setting.type !== 'object')
    return [{ pointer: pointerOf(at.path), key: at.path.at(-1) ?? '', title: at.title, setting, value: at.value }]
  return Object.entries(setting.members ?? {}).flatMap(([key, member]) => {
    const title = at.path.length === 1 ? view.t.term(member.title) : `${at.title} › ${view.t.term(member.title)}`
    return rowsOf(view, member, { value: memberOf(at.value, key), path: [...at.path, key], title })
  })
}

function valueTable(t: Translate, rows: readonly Row[]): Html {
  const lines = rows.map(
    ({ pointer, title, setting, value }) => html`<div id="set${pointer}"><dt>${title}</dt>
<dd>${shown(t, setting, value)}${setting.restart === true ? html` <em>${t('from the next start on')}</em>` : null}</dd>
<dd><small>${t.term(setting.description ?? '')}</small></dd></div>
`
  )
  return html`<dl class="values">${lines}</dl>
`
}

/** The value, or what stands in for it. */
function shown(t: Translate, setting: Setting, value: JsonValue | undefined): Html {
  const inForce = value ?? setting.default ?? null
  const isDefault = value === undefined
  if (setting.secret === true || isKept(inForce))
    return html`<span>${inForce === null || inForce === '' ? t('not set') : t('set')}</span>`
  const text = textOf(t, inForce)
  return html`<span class="text">${text}${setting.unit === undefined || inForce === null ? '' : ` ${setting.unit}`}</span>${isDefault && inForce !== null ? html` <small>${t('default')}</small>` : null}`
}

function textOf(t: Translate, value: JsonValue): string {
  if (value === null) return t('none')
  if (typeof value === 'boolean') return value ? t('on') : t('off')
  if (typeof value === 'string') return value === '' ? t('none') : value
  if (typeof value === 'number') return String(Number(value))
  if (Object.keys(value).length === 0) return t('none')
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return JSON.stringify(value, (_key, member: unknown) => (isKept(member) ? '[set]' : member))
}

const isKept = (value: unknown): boolean => typeof value === 'object' && value !== null && KEPT in value

function foundList(view: View, q: string): Html {
  const { t } = view
  const words = q.toLowerCase().split(/\s+/)
  const rows = Object.entries(describeSettings().members ?? {}).flatMap(([section, setting]) =>
    allRows(view, setting, { path: [section], key: section, title: t.term(setting.title) })
  )
  const found = rows.filter(({ pointer, key, title, setting }) => {
    const text =
      `${pointer} ${key} ${title} ${setting.title} ${setting.description ?? ''} ${t.term(setting.description ?? '')}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (found.length === 0)
    return html`<p role="status">${t('No setting is about this.')} <a href="/settings">${t('All settings')}</a></p>`
  const items = found.slice(0, MAX_FOUND).map(({ pointer, title, setting }) => {
    const own = Object.entries(OWN_EDITORS).find(([place]) => pointer === place || pointer.startsWith(`${place}/`))?.[1]
    const [, section = ''] = pointer.split('/')
    return html`<li><a href="${own ?? `/settings/${section}#set${pointer}`}">${title}</a><p>${t.term(setting.description ?? '')}</p></li>
`
  })
  return html`<p role="status">${t('{count} found.', { count: found.length })} <a href="/settings">${t('All settings')}</a></p><ul class="sections">${items}</ul>
`
}

/** Also what is inside of entries of lists and maps; of sources only what all have, they are on their own page. */
function allRows(view: View, setting: Setting, at: { path: string[]; key: string; title: string }): Row[] {
  const { path, key, title } = at
  const inner = setting.items ?? setting.values
  const members = Object.entries(setting.members ?? inner?.members ?? {})
  const self = { pointer: pointerOf(path), key, title, setting, value: undefined }
  const below = members.flatMap(([name, member]) => {
    const under = setting.members === undefined ? path : [...path, name]
    return allRows(view, member, { path: under, key: name, title: `${title} › ${view.t.term(member.title)}` })
  })
  return path.length === 1 ? below : [self, ...below]
}

function broadcastTable(t: Translate, previews: readonly BroadcastPreview[]): Html | null {
  if (previews.length === 0) return null
  const items = previews.flatMap(({ name, channels }) =>
    channels.map(
      ({ channel, text }) =>
        html`<div><dt>${name} · ${channel}</dt><dd class="text">${text ?? t('nothing to tell now')}</dd></div>`
    )
  )
  return html`<h2>${t('What the broadcasts would say now')}</h2><dl class="values">${items}</dl>`
}

export const settingsPages = (services: Services): Route[] => [
  get('/settings', {
    about: 'All sections of the configuration, and a search (`?q=`).',
    query: settingsQuery,
    handle: readSettingsPage(services)
  }),
  get('/settings/:section', {
    about: 'Every value of one section; with a script a form. Secrets are written, never shown.',
    handle: readSectionPage(services)
  })
]
