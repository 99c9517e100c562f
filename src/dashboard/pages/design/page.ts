import { skeleton, sparkline, stepper, toast } from '../../../../web/shared/parts.js'
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

const SPACES = [
  ['space-0', 'within a word: a chip, a mark'],
  ['space-1', 'between lines of one thing'],
  ['space-2', 'between things of one kind; inside of a bar'],
  ['space-3', 'inside of a card or a window'],
  ['space-4', 'the edge of the page; between parts'],
  ['space-5', 'between columns'],
  ['space-6', 'before a new subject']
] as const

const TYPES = [
  ['type-0', 'the bar at the lower edge of a narrow phone, nothing else'],
  ['type-1', 'below a sign'],
  ['type-2', 'beside what is read: hints, times, facts'],
  ['type-3', 'what is read'],
  ['type-4', 'a section, and what comes first in a card'],
  ['type-5', 'a figure, and the text of a plain page'],
  ['type-6', 'the name of a page'],
  ['type-7', 'the name of a plain page']
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
    const body = html`<p>For developers, in English. The theme is chosen under ${reader.t('Display')}.</p>${[colours(), spaces(), types(), severities(reader), states(), chips(reader), controls(), cards(reader), tables(), sparklines(), steppers(), toasts(), skeletons(), dialogs(), icons()]}`
    return page(context, {
      ...{ title: reader.t('Design'), path: '/docs/design', section: '/docs', body, headers, identity },
      style: 'pages/design/style.css',
      script: 'pages/design/script.js',
      light: true
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

const spaces = (): Html =>
  part(
    'Space',
    html`<p>Between, and inside of, everything: no sheet names another distance.</p><ul class="scale">${SPACES.map(([name, task]) => html`<li><span class="bar ${name}"></span><code>--${name}</code> ${task}</li>`)}</ul>`
  )

const types = (): Html =>
  part(
    'Type',
    html`<p>The font of the device, in eight sizes. A sentence is at most some 80 letters a line; figures stand in <span class="number">0123456789</span> columns.</p><ul class="scale">${TYPES.map(([name, task]) => html`<li><span class="letters ${name}">Ag</span><code>--${name}</code> ${task}</li>`)}</ul>`
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

const tables = (): Html =>
  part(
    'Table',
    html`<div class="scroll"><table><caption>What is compared; wider than a phone, it moves by itself</caption><thead><tr><th scope="col">Channel</th><th scope="col">Messages</th></tr></thead><tbody><tr><th scope="row">Meshtastic 3</th><td class="number">12</td></tr><tr><td class="empty" colspan="2">Empty: why, and what fills it.</td></tr></tbody></table></div>`
  )

const sparklines = (): Html =>
  part('Sparkline', [
    html`<p>The last hours of one thing, beside its words.</p>`,
    sparkline({ html }, { values: [0, 0, 2, 5, 3, 0, 1, 8, 4, 2, 0, 1], said: 'Messages by hour, at most 8' })
  ])

const steppers = (): Html =>
  part('Stepper', [
    stepper(
      { html },
      {
        label: 'How far a file is',
        steps: [
          { state: 'done', content: 'Done', word: 'done' },
          { state: 'now', content: 'Now' },
          { state: 'next', content: 'To come' },
          { state: 'left', content: 'Left out' },
          { state: 'stopped', content: 'Stopped', word: 'stopped here' }
        ]
      }
    ),
    stepper(
      { html },
      {
        label: 'Steps to go to',
        kind: 'boxes',
        steps: (['done', 'now', 'next'] as const).map((state, index) => ({
          state,
          content: html`<div class="step"><span>${index + 1}. <strong>A step</strong></span> <small>what it has</small></div>`
        }))
      }
    )
  ])

const toasts = (): Html =>
  part('Toast', [
    html`<p>The good end of an order. It stays until the next one.</p>`,
    toast({ html }, 'It is tried again.'),
    toast({ html }, 'Saved, and in use.', 'good')
  ])

const skeletons = (): Html =>
  part('Skeleton', [
    html`<p>The place of what is being worked out, and a word for it.</p>`,
    skeleton({ html }, 'Counting …')
  ])

const dialogs = (): Html =>
  part(
    'Dialog',
    html`<p>Only where a decision cannot wait; Escape leaves it without an order.</p><div id="dialog-shown"></div>`
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
