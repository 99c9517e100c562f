import type { IncomingHttpHeaders } from 'node:http'
import { because } from '../../../model/reason.ts'
import type { Services } from '../../api/services.ts'
import { askerOf } from '../../server/asker.ts'
import { FEATURES } from '../../server/companions.ts'
import type { HttpContext } from '../../server/context.ts'
import type { Identity } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

interface Line {
  name: string
  /** As it stands in the file of the profile, and where somebody overrides it. */
  key: string
  value: string
  meaning: string
  /** `off` is shown quieter, never by that alone. */
  off?: boolean
}

/** `GET /profile`: which profile is active, and what each of its values changes. */
function readProfilePage({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const t = translator(languageOf(headers))
    const { name, description } = context.profile
    const body = html`<p><strong>${name}</strong>: ${t.term(description)}</p>
<p class="quiet">${t('Chosen by the environment variable LOOKOUT_PROFILE at the start; an unknown name stops the start.')}</p>
${program(context, { headers, identity }, t)}
${table(t, t('What runs'), subsystems(context, t))}
${table(t, t('Companion services'), features(context, t))}
${table(t, t('Limits'), limits(context, t))}
${table(t, t('How long things are kept'), retention(context, t))}
${overrides(context, t)}`
    return page(context, {
      title: t('Profile'),
      path: '/profile',
      section: '/settings',
      body,
      headers,
      identity,
      style: 'pages/history/style.css',
      script: 'pages/profile/script.js',
      light: true
    })
  }
}

/** The version, how a newer one comes here, and the restart: the last is the operator's. */
function program(
  context: HttpContext,
  reader: { headers: IncomingHttpHeaders; identity: Identity },
  t: Translate
): Html {
  const { version, isBundle } = context
  const update = isBundle
    ? t(
        'This program is a signed bundle, and cannot be brought up to date from this page. On the station: unpack the new bundle and run its install.sh, which checks the signature, makes a backup, and goes back by itself when the new one does not come up.'
      )
    : t(
        'This program is a checkout, and cannot be brought up to date from this page. In a terminal: make a backup, fetch the new version, npm ci, npm run build, and restart.'
      )
  const { isGuest } = askerOf(context, reader)
  return html`<section id="program" aria-labelledby="program-title"><h2 id="program-title">${t('This program')}</h2>
<p>Lookout ${version}</p><p>${update}</p>${isGuest ? null : restartPart(context, t)}</section>`
}

/** Where nothing would start it again there is no button: a station that warns is not ended from afar for good. */
function restartPart({ restart, mode }: HttpContext, t: Translate): Html | null {
  if (mode === 'preview') return null
  if (restart.by === null) return html`<p id="restart">${t.reason(because('nothing_restarts'))}</p>`
  return html`<details id="restart"><summary>${t('Restart')}</summary>
<p>${t('What is under way ends within 5 seconds, and {name} starts the program again. Messages that wait are kept and go on then. In between nothing is heard and nothing is sent: some 10 seconds, on a small board up to a minute.', { name: restart.by })}</p>
<p><button type="button" class="primary" disabled>${t('Restart now')}</button></p>
<p id="restart-status" role="status" data-asked="${t('The station stops …')}" data-down="${t('It is stopped. Waiting until it is back …')}" data-back="${t('It is back.')}" data-long="${t('It is not back after a minute. Look at the station itself: its log says why.')}" data-refused="${t('It was not restarted.')}"></p>
<noscript><p class="live">${t('The button needs a browser with scripts.')}</p></noscript></details>`
}

function table(t: Translate, title: string, lines: readonly Line[]): Html {
  const rows = lines.map(
    ({ name, key, value, meaning, off }) =>
      html`<tr${off ? html` class="quiet"` : null}><th scope="row">${name} <code>${key}</code></th><td>${value}</td><td>${meaning}</td></tr>`
  )
  return html`<section><h2>${title}</h2><div class="scroll"><table class="profile" aria-label="${title}"><thead><tr><th scope="col">${t('Name')}</th><th scope="col">${t('Value')}</th><th scope="col">${t('What it changes')}</th></tr></thead><tbody>${rows}</tbody></table></div></section>\n`
}

function subsystems({ profile }: HttpContext, t: Translate): Line[] {
  const words: Record<keyof typeof profile.subsystems, [name: string, meaning: string]> = {
    knowledge: [t('Documents'), t('Documents are taken in, read and searched.')],
    library: [t('Library'), t('Archives of web sites (.zim) are kept, served and read.')],
    scraper: [t('Archiving of sites'), t('Web sites can be archived.')],
    addresses: [t('Addresses'), t('Postal addresses can be looked up, when the address file is there.')],
    metrics: [t('Measurements'), t('Measurements are kept for the charts.')]
  }
  return Object.entries(words).map(([key, [name, meaning]]) => {
    const on = profile.subsystems[key as keyof typeof words]
    return { name, key, value: on ? t('on') : t('off'), meaning, off: !on }
  })
}

function features({ profile, shownConfig }: HttpContext, t: Translate): Line[] {
  const { services } = shownConfig()
  return FEATURES.map(({ flag, service, name, meaning }) => {
    const expected = profile.features[flag]
    const address = services[service]
    const linked = expected
      ? address === ''
        ? t('Expected, but no address is set: see services.{name} in the settings.', { name: service })
        : t('Linked: {address}', { address })
      : t('Not expected by this profile: nothing is offered.')
    return {
      name: t.term(name),
      key: flag,
      value: expected ? t('yes') : t('no'),
      meaning: `${t.term(meaning)} ${linked}`,
      off: !expected
    }
  })
}

const MIB = 1024 * 1024

function limits({ profile, shownConfig }: HttpContext, t: Translate): Line[] {
  const { tuning, polling } = profile
  const own = shownConfig().uploads.max_bytes
  const mib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`
  return [
    {
      name: t('Memory'),
      key: 'heap_mb',
      value: `${tuning.heap_mb} MiB`,
      meaning: t('Memory of the program’s own data; the unit file passes it to Node.')
    },
    {
      name: t('Memory for a document'),
      key: 'job_memory_mb',
      value: `${tuning.job_memory_mb} MiB`,
      meaning: t('Memory of the programs that read one document, such as OCR and LibreOffice.')
    },
    ...workers(tuning.workers, t),
    {
      name: t('Largest upload'),
      key: 'upload_max_bytes',
      value: mib(own ?? tuning.upload_max_bytes),
      meaning:
        own === undefined
          ? t('Largest upload; archives are exempt.')
          : t('Largest upload, from uploads.max_bytes in the settings; archives are exempt.')
    },
    {
      name: t('Written together'),
      key: 'commit_window_ms',
      value: `${tuning.commit_window_ms} ms`,
      meaning: t('How long events are gathered before they are written to the disk together.')
    },
    {
      name: t('Pace of the sources'),
      key: 'interval_factor',
      value: `× ${polling.interval_factor}`,
      meaning: t('Sources are asked this many times less often.')
    }
  ]
}

function workers(atOnce: HttpContext['profile']['tuning']['workers'], t: Translate): Line[] {
  return [
    {
      name: t('Conversions'),
      key: 'workers.convert',
      value: String(atOnce.convert),
      meaning: t('Uploads that are converted and filed at once.')
    },
    {
      name: t('Texts read'),
      key: 'workers.extract',
      value: String(atOnce.extract),
      meaning: t('Documents whose text is read at once.')
    },
    {
      name: t('Embeddings'),
      key: 'workers.embed',
      value: String(atOnce.embed),
      meaning: t('Documents that are embedded at once.')
    }
  ]
}

function retention({ profile }: HttpContext, t: Translate): Line[] {
  const words: Record<keyof typeof profile.retention, [name: string, meaning: string]> = {
    events_days: [t('Events'), t('Events.')],
    deliveries_days: [t('Messages'), t('Messages and what became of them.')],
    trace_days: [t('Decisions'), t('Why an event was sent, or not.')],
    metrics_days: [t('Measurements'), t('Measurements.')]
  }
  return Object.entries(words).map(([key, [name, meaning]]) => ({
    name,
    key,
    meaning,
    value: t('{count} days', { count: profile.retention[key as keyof typeof words] })
  }))
}

function overrides({ overrides: given }: HttpContext, t: Translate): Content {
  const entries = Object.entries(given)
  if (entries.length === 0) return null
  const words: Readonly<Record<string, string>> = {
    host: t('Listens at'),
    port: t('Port of the pages'),
    log: t('Log level')
  }
  const lines = entries.map(([key, value]) => ({
    name: words[key] ?? '',
    key,
    value: String(value),
    meaning: t('Set on the command line, in the environment or in config.json, in place of the profile.')
  }))
  return table(t, t('Overridden'), lines)
}

export const profilePage = (services: Services): Route =>
  get('/profile', {
    about: 'The active profile, and what each of its values changes.',
    handle: readProfilePage(services)
  })
