import { companions } from '../../server/companions.ts'
import type { HttpContext } from '../../server/context.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'
import { type IconName, icon } from './icons.ts'

type Entry = readonly [path: string, name: string, icon: IconName]

/** One of the four places of the menu: what happens, who is warned, what is known, the station. */
interface Group {
  key: 'now' | 'warnings' | 'knowledge' | 'station'
  name: string
  entries: readonly Entry[]
}

/** The page that is shown, and the entry it belongs to where its path does not say so. */
export interface Shown {
  path: string
  section: string
}

function groupsOf(t: Translate, context: HttpContext): readonly Group[] {
  const { profile } = context
  // Closed, its pages say so.
  const isClosed = context.knowledgeClosed()
  const hasKnowledge = isClosed || context.knowledge !== null
  const hasLibrary = isClosed ? profile.subsystems.library : context.library !== null
  const known: readonly (Entry | false)[] = [
    hasKnowledge && ['/knowledge', t('Knowledge'), 'knowledge'],
    hasKnowledge && ['/search', t('Search'), 'search'],
    hasLibrary && ['/library', t('Library'), 'library'],
    profile.subsystems.addresses && ['/addresses', t('Addresses'), 'addresses']
  ]
  const groups: readonly Group[] = [
    {
      key: 'now',
      name: t('Now'),
      entries: [
        ['/', t('Overview'), 'now'],
        ['/alerts', t('Alerts'), 'warnings']
      ]
    },
    {
      key: 'warnings',
      name: t('Warnings'),
      entries: [
        ['/events', t('Events'), 'warnings'],
        ['/deliveries', t('Messages'), 'messages'],
        ['/mesh-a/routing', t('Meshtastic routing'), 'matrix'],
        ['/mesh-b/routing', t('MeshCore routing'), 'matrix'],
        ['/coverage', t('Coverage'), 'coverage'],
        ['/sources', t('Sources'), 'sources']
      ]
    },
    { key: 'knowledge', name: t('Knowledge'), entries: known.filter((entry) => entry !== false) },
    {
      key: 'station',
      name: t('Station'),
      entries: [
        ['/radios', t('Radios'), 'station'],
        ['/history', t('History'), 'history'],
        ['/settings', t('Settings'), 'settings'],
        ...hotspotEntry(context, t),
        ...updateEntry(context, t),
        // The reference of the API is a chapter of it.
        ['/docs', t('Handbook'), 'knowledge']
      ]
    }
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

/** Where nothing switches a hotspot, a line about it helps nobody. */
const hotspotEntry = ({ hotspot }: HttpContext, t: Translate): Entry[] =>
  hotspot === null || hotspot.state() === null ? [] : [['/hotspot', t('Hotspot'), 'station']]

/** A preview changes nothing. */
const updateEntry = ({ updates }: HttpContext, t: Translate): Entry[] =>
  updates === null
    ? []
    : [
        ['/backup', t('Backup'), 'backup'],
        ['/update', t('Update'), 'update']
      ]

/** The whole menu, in its groups. */
export function menu(context: HttpContext, t: Translate, shown: Shown): Html {
  const groups = groupsOf(t, context).map(
    ({ key, name, entries }) =>
      html`<div class="group"><p class="group-name" id="group-${key}">${name}</p><ul aria-labelledby="group-${key}">${entries.map(
        ([href, label, sign]) =>
          html`<li class="menu-item">${icon(sign)}<a href="${href}"${currentMark(href, shown)}>${label}</a></li>`
      )}${key === 'station' ? companionLinks(context, t) : null}</ul></div>`
  )
  return html`<div class="main">${groups}</div>`
}

/** The same places within reach of a thumb: each leads to its first page. */
export function tabs(context: HttpContext, t: Translate, shown: Shown): Html {
  const links = groupsOf(t, context).map(({ key, name, entries }) => {
    const isHere = entries.some(([href]) => currentMark(href, shown) !== null)
    return html`<a href="${entries[0]?.[0] ?? '/'}" class="to-${key}"${isHere ? html` aria-current="true"` : null}>${icon(key)}<span>${name}</span></a>`
  })
  return html`<nav class="bar-below" aria-label="${t('Places')}">${links}</nav>`
}

/** Services beside this station, where the profile expects them and their addresses are set. */
function companionLinks(context: HttpContext, t: Translate): Html[] {
  const { services } = context.shownConfig()
  return companions(context.profile.features, services).map(
    ({ name, url }) => html`<li><a href="${url}" rel="external">${t.term(name)}</a></li>`
  )
}

function currentMark(href: string, { path, section }: Shown): Html | null {
  if (href === path) return html` aria-current="page"`
  return href === section || (href !== '/' && href !== '/docs' && path.startsWith(`${href}/`))
    ? html` aria-current="true"`
    : null
}
