import { SEVERITIES } from '../../../model/severity.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { type Html, html } from '../frame/html.ts'
import { ICON_NAMES, icon } from '../frame/icons.ts'
import { page } from '../frame/layout.ts'
import { demoMark, type Reader, readerOf, severityMark } from '../frame/reader.ts'

/** Every colour has a task; a theme sets all of them. */
const COLOURS = [
  ['ground', 'the page'],
  ['raised', 'what lies on it'],
  ['text', 'to be read'],
  ['quiet', 'beside what is read'],
  ['line', 'parts of one thing'],
  ['edge', 'what can be touched'],
  ['link', 'leads on; the only accent'],
  ['good', 'proven'],
  ['note', 'priority, and what is unusual'],
  ['bad', 'critical and immediate, and what failed']
] as const

const STATES = [
  ['good', 'Sent'],
  ['waiting', 'Waiting its turn'],
  ['bad', 'Failed'],
  ['off', 'Withdrawn']
] as const

/** `GET /docs/design`: every part of the pages as it is drawn now, in the theme of the reader (docs/design.md says why). */
function readDesign({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const reader = readerOf(context, { headers, identity })
    const body = html`<p>For developers, in English. The theme is chosen under ${reader.t('Display')}.</p>${[colours(), type(), severities(reader), states(), chips(reader), controls(), cards(reader), icons()]}`
    return page(context, {
      ...{ title: reader.t('Design'), path: '/docs/design', section: '/docs/api', body, headers, identity },
      style: 'pages/design/style.css'
    })
  }
}

function part(title: string, body: Html | readonly Html[]): Html {
  const id = title.toLowerCase()
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`
}

const colours = (): Html =>
  part(
    'Colour',
    html`<ul class="swatches">${COLOURS.map(([name, task]) => html`<li><span class="swatch ${name}"></span><code>--${name}</code> ${task}</li>`)}</ul>`
  )

const type = (): Html =>
  part(
    'Type',
    html`<p class="sample-large">A page is named once</p><p>A sentence is read at 1 rem, at most some 80 letters a line.</p><p><small>What stands beside it is smaller.</small></p><p class="number">0123456789 in columns</p>`
  )

const severities = ({ t }: Reader): Html =>
  part(
    'Severity',
    html`<p>Colour, shape and word, wherever one is told.</p><p class="row">${SEVERITIES.toReversed().map((one) => severityMark(one, t))} ${demoMark(true)}</p>`
  )

const states = (): Html =>
  part(
    'State',
    html`<p>Green is proof. What is unknown, waits or is off has no colour.</p><p class="row">${STATES.map(([tone, word]) => html`<span class="state ${tone}">${word}</span>`)}</p>`
  )

const chips = ({ t }: Reader): Html =>
  part(
    'Chip',
    html`<ul class="chips"><li class="chip"><span class="state good">Sent on Meshtastic 3</span> <span class="why">heard by 4</span></li><li class="chip bad"><b>MeshCore fire</b> <span class="state bad">Failed</span> <span class="why">no such channel</span></li><li class="chip immediate">${severityMark('immediate', t)} Valley</li><li class="chip">North: <span class="why">quiet</span></li></ul>`
  )

const controls = (): Html =>
  part(
    'Control',
    html`<p class="row"><button type="button" class="primary">The one way on</button><button type="button">Another</button><button type="button" class="danger">Takes away</button><button type="button" disabled>Not now</button></p><p><label for="field">Field</label> <input id="field" value="44 px high"></p>`
  )

const cards = ({ t }: Reader): Html =>
  part(
    'Card',
    html`<ol class="alerts"><li class="alert critical"><h3>${severityMark('critical', t)} Fire at Pine Ridge</h3><p class="where">North</p><p>What happened, in a sentence.</p></li></ol><p class="banner note">News for every page.</p><p class="banner bad">What stops messages.</p>`
  )

const icons = (): Html =>
  part(
    'Icon',
    html`<ul class="icons">${ICON_NAMES.map((name) => html`<li>${icon(name)} <code>${name}</code></li>`)}</ul>`
  )

export const designPage = (services: Services): Route =>
  get('/docs/design', {
    about: 'The parts of the pages as they are drawn, for those who build them.',
    handle: readDesign(services)
  })
