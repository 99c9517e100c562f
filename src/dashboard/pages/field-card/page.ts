import { floorNames, NETWORK_NAMES } from '../../../../web/shared/words.js'
import type { AirLanguage } from '../../../model/air-languages.ts'
import type { Config } from '../../../settings/schema.ts'
import { type UsedCommand, usable, usageOf } from '../../../warning/commands/usages.ts'
import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { familyNames } from '../frame/family-names.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { type Reader, readerOf } from '../frame/reader.ts'
import {
  type Carried,
  type ChannelCard,
  hasBroadcastRules,
  type PolicyCard,
  policyCards,
  regionCards
} from './card-channels.ts'
import { commandWords, type Meaning, shortWords, textMarks } from './card-words.ts'

/** The reader, the configuration, and what families are called. */
interface Card extends Reader {
  config: Config
  names: ReadonlyMap<string, string>
}

/** `GET /field-card`: one sheet for whoever listens: which channel carries what, how texts read, what may be asked. Holds no secret. */
function readFieldCard({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const config = context.shownConfig()
    const card: Card = { ...reader, config, names: familyNames(config.families, t) }
    const body = html`<p class="noprint"><button type="button" class="primary" data-print hidden>${t('Print')}</button> <a class="button" href="/">${t('Overview')}</a></p>
<div class="card">${[reach(card), channels(card), byPolicy(card), texts(card), commands(card)]}</div>`
    return page(context, {
      ...{ title: t('Field card'), path: '/field-card', body, headers, identity, plain: true, light: true },
      ...{ radios: reader.radios, readiness: reader.readiness, script: 'pages/field-card/script.js' },
      style: 'pages/field-card/style.css'
    })
  }
}

/** A line to write by hand, for a value that nobody may read here. */
const blank = (label: string): Html => html`<dt>${label}</dt><dd class="blank"></dd>`

function reach({ t, context, radios }: Card): Html {
  const hotspot = context.hotspot?.state() ?? null
  const wifi =
    hotspot?.state === 'on'
      ? html`<dt>${t('Wi-Fi')}</dt><dd><b>${hotspot.ssid}</b></dd>${blank(t('Pass phrase'))}<dt>${t('Address')}</dt><dd><b>http://lookout.lan</b></dd>`
      : blank(t('Address'))
  const nodes = radios().filter(({ simulated }) => !simulated)
  const called = nodes.map(
    ({ network, node_name: name }) =>
      html`<dt>${t('Node on {network}', { network: NETWORK_NAMES[network] })}</dt><dd>${name}</dd>`
  )
  return html`<section aria-labelledby="reach"><h2 id="reach">${t('How to reach the station')}</h2><dl>${wifi}${called}</dl></section>`
}

function channels(card: Card): Html {
  const { t, config, readiness } = card
  const cards = regionCards(config)
  const notNow = readiness().ready
    ? null
    : html`<p class="lacking">${t('At present the station would send nothing: its overview says why.')}</p>`
  const rows = cards.map(({ regions, channels: own, muted }) =>
    place(regions.join(', '), [
      own.length === 0 ? html`<p class="quiet">${t('no channel')}</p>` : lines(own, card),
      muted.length === 0
        ? null
        : html`<p>${t('Never broadcast here: {families}.', { families: families(muted, card) })}</p>`
    ])
  )
  const none = config.notifications.region_routes.enabled
    ? t('This station has no region yet.')
    : t('The matrix is off: nothing is sent by region.')
  return html`<section aria-labelledby="channels"><h2 id="channels">${t('What is told where')}</h2>${notNow}
${rows.length === 0 ? html`<p>${none}</p>` : html`<dl class="places">${rows}</dl>`}
${withoutRadio(
  cards.flatMap(({ channels: own }) => own),
  card
)}</section>`
}

/** A region or a family, and what is told of it. */
const place = (name: string, told: Content): Html => html`<div><dt>${name}</dt><dd>${told}</dd></div>`

const families = (keys: readonly string[], { names }: Card): string =>
  keys.map((key) => names.get(key) ?? key).join(', ')

/** Channels one below the other, each with its families. */
function lines(own: readonly ChannelCard[], card: Card): Html {
  return html`<ul>${own.map((one) => html`<li><b>${channelName(one, card)}</b>${missing(one, card)}: ${one.carries.map((carried) => said(carried, one, card)).join(', ')}</li>`)}</ul>`
}

/** `Weather (from critical on)`. */
function said({ family, from, standsIn }: Carried, { network }: ChannelCard, { t, names }: Card): string {
  const other = NETWORK_NAMES[network === 'mt' ? 'mc' : 'mt']
  const limits = [
    ...(from === 'routine' ? [] : [t('from {severity} on', { severity: floorNames(t)[from] })]),
    ...(standsIn ? [t('only when {network} fails', { network: other })] : [])
  ]
  return `${names.get(family) ?? family}${limits.length === 0 ? '' : ` (${limits.join('; ')})`}`
}

type Place = Pick<ChannelCard, 'network' | 'channel'>

/** `Meshtastic 3 Fire-Net`: the index is what the settings say, the name what the radio has for it. */
function channelName({ network, channel }: Place, { radios }: Card): string {
  const name = radios()
    .find((radio) => radio.network === network)
    ?.channels.find(({ id }) => id === channel)?.name
  return [NETWORK_NAMES[network], channel, ...(network === 'mt' && name ? [name] : [])].join(' ')
}

function missing({ network, channel }: Place, { t, radios }: Card): Content {
  const radio = radios().find((one) => one.network === network)
  return radio?.missing_channels.some((one) => one.channel === channel) === true
    ? html` <b class="lacking">${t('(the radio does not have it)')}</b>`
    : null
}

/** Nothing is promised on a network that has no radio. */
function withoutRadio(own: readonly ChannelCard[], { t, radios, context }: Card): Html[] {
  if (context.mode === 'preview') return []
  return (['mt', 'mc'] as const)
    .filter((network) => own.some((one) => one.network === network) && !radios().some((one) => one.network === network))
    .map(
      (network) =>
        html`<p class="lacking">${t('The station has no radio for {network}: nothing is sent there.', { network: NETWORK_NAMES[network] })}</p>`
    )
}

/** Families beside the matrix: those without a region, and the others where no cell says anything. */
function byPolicy(card: Card): Html | null {
  const { t, config } = card
  const policies = policyCards(config)
  const rules = hasBroadcastRules(config) ? html`<p>${t('Rules of this station may send more.')}</p>` : null
  if (policies.length === 0 && rules === null) return null
  const row = ({ regions, channels: own }: PolicyCard): Html =>
    place(regions.length === 0 ? t('everywhere') : regions.join(', '), lines(own, card))
  const table =
    policies.length === 0
      ? null
      : html`<dl class="places">${policies.map(row)}</dl>${withoutRadio(
          policies.flatMap(({ channels: own }) => own),
          card
        )}`
  return html`<section aria-labelledby="policy"><h2 id="policy">${t('What has no region, and where the regions above say nothing')}</h2>${table}${rules}</section>`
}

function texts({ t, config }: Card): Html {
  const { timezone, time_format, units, language } = config.station
  const time = time_format === '12h' ? '6:21p' : '18:21'
  const list = (meanings: readonly Meaning[]): Html =>
    html`<dl class="words">${meanings.map(([mark, means]) => html`<div><dt>${mark}</dt><dd>${means}</dd></div>`)}</dl>`
  return html`<section aria-labelledby="texts"><h2 id="texts">${t('How a text reads')}</h2>
<p>${t('What, level, where, until when. What happens, in figures. What to do. Who says so.')}${language === 'en' ? html`<br><q lang="en">FLOOD WARN UPD Chelan Co WA til Thu 2:30a. Mill River at Ford: minor flooding, 24.2ft, crest 24.8ft tonight. NWS OTX</q>` : null}</p>
<p>${t('Times are those of {zone}, written {time}. Distances in {unit}.', { zone: timezone, time, unit: units === 'metric' ? 'km' : 'mi' })} ${language === 'en' ? t('A text is in the language of its source; the marks are those of English ones.') : t('A text whose source cannot be said in the language of the station stands in its own.')}</p>
${list(textMarks(t, language))}<h3>${t('Short words')}</h3>${list(shortWords(t, language))}</section>`
}

/** For anybody who holds a radio: nobody is an admin here. */
function commands({ t, config, context }: Card): Html {
  const heading = html`<h2 id="commands">${t('What you may ask by radio')}</h2>`
  if (!config.commands.enabled)
    return html`<section aria-labelledby="commands">${heading}<p>${t('This station answers no commands.')}</p></section>`
  const setting = { config, hasLibrary: context.knowledge !== null }
  const { language } = config.station
  const direct = usable({ admin: false, direct: true }, setting)
  const onChannel = config.commands.allow_channels
    ? usable({ admin: false, direct: false }, setting).filter((name) => !direct.includes(name))
    : []
  const how = config.commands.allow_channels
    ? t('Send it to the node of the station, or on one of its channels.')
    : t('Send it to the node of the station, as a direct message.')
  return html`<section aria-labelledby="commands">${heading}<p>${how}</p>${usages(direct, t, language)}
${onChannel.length === 0 ? null : html`<p>${t('On a channel only:')}</p>${usages(onChannel, t, language)}`}</section>`
}

function usages(names: readonly UsedCommand[], t: Reader['t'], language: AirLanguage): Html {
  const words = commandWords(t)
  return html`<dl class="words wide">${names.map((name) => html`<div><dt><code>${usageOf(name, language)}</code></dt><dd>${words[name]}</dd></div>`)}</dl>`
}

export const fieldCardPage = (services: Services): Route =>
  get('/field-card', {
    about:
      'A card for whoever listens: which channel carries what, how texts read, what may be asked by radio. Made to be printed on one sheet.',
    handle: readFieldCard(services)
  })
