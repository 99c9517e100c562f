import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import type { Pen } from '../../../../web/shared/pen.js'
import {
  broadcastSection,
  choiceName,
  destinationSection,
  destinationsIn,
  entriesOf,
  type Hand,
  keysOf,
  type Place,
  settingField,
  settingHelp,
  settingMembers,
  unitAfter
} from '../../../../web/shared/setting.js'
import { type AskedStation, stationSection } from '../../../../web/shared/stations.js'
import { isKept } from '../../../../web/shared/values.js'
import type { Language } from '../../../model/words/languages.ts'
import { pointerOf } from '../../../platform/config/locate.ts'
import { describeSettings, type Setting } from '../../../settings/describe.ts'
import type { Services } from '../../api/services.ts'
import { type ServedSettings, servedSettings } from '../../api/settings.ts'
import { askedStations } from '../../api/standby.ts'
import { suggestionsOf } from '../../editing/suggestions.ts'
import type { BroadcastPreview, HttpContext } from '../../server/context.ts'
import { canWrite, type Identity } from '../../server/identity.ts'
import { notFound } from '../../server/problem.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { penOf } from '../frame/pen.ts'
import { saidSetting } from '../frame/said-setting.ts'

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
  language: Language
  pen: Pen<Html>
  served: ServedSettings
  locked: boolean
}

async function viewOf(context: HttpContext, headers: IncomingHttpHeaders, identity: Identity): Promise<View> {
  const served = await servedSettings(context, identity)
  const language = languageOf(headers)
  return {
    t: translator(language),
    language,
    pen: penOf(context, language),
    served,
    locked: context.config.status().locked
  }
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
    const after = section === 'notifications' ? await afterNotifications(context, identity) : null
    const value = view.served.settings[section]
    const data = {
      section,
      setting: saidSetting(setting, view.t),
      own: OWN_EDITORS,
      ...view.served,
      stale_config: view.locked,
      settings: value === undefined ? {} : { [section]: value },
      suggestions: suggestionsOf(context),
      ...after
    }
    const script = own === undefined ? { script: 'pages/settings/script.js', data } : {}
    return page(context, {
      title: view.t.term(setting.title),
      path: '/settings',
      settings: `/settings/${section}`,
      body: sectionBody(view, { section, setting, after }),
      headers,
      identity,
      style: 'pages/settings/style.css',
      ...script
    })
  }
}

interface AfterNotifications {
  broadcasts: BroadcastPreview[]
  stations: readonly AskedStation[]
}

/** Addresses of other stations are the operator's alone. */
async function afterNotifications(context: HttpContext, identity: Identity): Promise<AfterNotifications> {
  const mayKnow = canWrite(identity, context.config.current().http)
  return { broadcasts: await context.broadcasts(), stations: mayKnow ? askedStations(context) : [] }
}

function sectionBody(
  view: View,
  { section, setting, after }: { section: string; setting: Setting; after: AfterNotifications | null }
): Html {
  const { t, served, pen } = view
  const own = OWN_EDITORS[`/${section}`]
  const top = { setting, path: [], pointer: `/${section}`, value: served.settings[section] }
  const hand = readingHand(view, `/${section}`)
  // In the element the script renders into, as it does: a form, destinations and stations to try, and what the broadcasts would say.
  return html`<p class="crumbs"><a href="/settings">${t('All settings')}</a></p>
${staleNote(view)}<p>${t.term(setting.description ?? '')}</p>
${own === undefined ? null : html`<p><a href="${own}">${t('These settings have a page of their own.')}</a></p>`}
<noscript><p class="live">${t('Editing needs a browser with scripts. The settings stand in config.json.')}</p></noscript>
<div id="editor"><div><form autocomplete="off">${setting.type === 'object' ? settingMembers(hand, top) : settingField(pen, hand, top)}</form>
${after === null ? null : html`${destinationSection(pen, destinationsIn(served.settings[section]))}${stationSection(pen, after.stations)}${broadcastSection(pen, after.broadcasts)}`}</div></div>`
}

/** Values as text; a section with a page of its own is told here all the same. */
function readingHand(view: View, top: string): Hand<Html> {
  const { pen, served } = view
  const hand: Hand<Html> = {
    own: Object.fromEntries(Object.entries(OWN_EDITORS).filter(([place]) => place !== top)),
    field: (at) => settingField(pen, hand, at),
    fold: ({ pointer }, head, inner) =>
      pen.html`<details class="fold" id="set${pointer}"><summary>${head}</summary><div class="inner">${inner()}</div></details>`,
    value: (at) => shown(view, at),
    notes: (at) => settingHelp(pen, at, { override: served.overridden[at.pointer] }),
    entryEnd: () => null,
    groupEnd: (at) => (entriesOf(at).length + keysOf(at).length === 0 ? html`<p>${view.t('none')}</p>` : null)
  }
  return hand
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
}

/** The value, or what stands in for it. */
function shown(view: View, at: Place): Html {
  const { t } = view
  const { setting, value, pointer } = at
  const isSet = value !== undefined
  const inForce = isSet ? value : (setting.default ?? null)
  const isHidden = setting.secret === true || isKept(inForce)
  const hidden = inForce === null || inForce === '' ? t('not set') : t('set')
  const text = isHidden ? hidden : valueText(view, at, inForce)
  const unit = inForce === null ? '' : unitAfter(setting, t.term)
  const note = isSet || inForce === null || setting.secret === true ? null : html` <small>${t('default')}</small>`
  const isList = setting.type === 'list' && !isKept(value)
  return html`<span class="text" id="${isList ? 'text' : 'set'}${pointer}">${text}${unit}${note}</span>`
}

function valueText({ t, language }: View, { setting, path }: Place, value: unknown): string {
  if (setting.type !== 'choice' || typeof value !== 'string') return textOf(t, value)
  return choiceName(value, { t, language, key: path.at(-1) ?? '' })
}

function textOf(t: Translate, value: unknown): string {
  if (value === null || value === undefined) return t('none')
  if (typeof value === 'boolean') return value ? t('on') : t('off')
  if (typeof value === 'string') return value === '' ? t('none') : value
  if (typeof value === 'number') return String(Number(value))
  if (Object.keys(value).length === 0) return t('none')
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return JSON.stringify(value, (_key, member: unknown) => (isKept(member) ? '[set]' : member))
}

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
  const self = { pointer: pointerOf(path), key, title, setting }
  const below = members.flatMap(([name, member]) => {
    const under = setting.members === undefined ? path : [...path, name]
    return allRows(view, member, { path: under, key: name, title: `${title} › ${view.t.term(member.title)}` })
  })
  return path.length === 1 ? below : [self, ...below]
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
