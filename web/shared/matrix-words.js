// The words of the matrix: of its cells, of what is wrong with them, and of the policies that decide where no cell can.
import { MT_CHANNELS_BEFORE_WARNING, modeOf, shutNetworks } from './matrix-model.js'
import { floorNames, NETWORK_NAMES } from './words.js'

/** @typedef {import('./matrix-model.js').Cell} Cell */
/** @typedef {import('./matrix-model.js').Switches} Switches */
/** @typedef {import('./words.js').Say} Say */
/** @typedef {import('../../src/dashboard/pages/routing/routing-view.ts').RoutingData} RoutingData */
/** @typedef {{ code: string, message?: string, family?: string, region?: string, channels?: number[] }} Finding */

/**
 * `3 Fire-Net`: index and the name the radio has for it.
 * @param {RoutingData} data
 * @param {number} index
 */
export function mtName(data, index) {
  const name = data.radios.mt?.channels.find(({ id }) => id === index)?.name ?? ''
  return name === '' ? String(index) : `${index} ${name}`
}

/**
 * The channel of this page, the same without its network, which the page is called after, and the one of the other network;
 * null: not on it.
 * @param {RoutingData} data
 * @param {Cell} cell
 */
export function channelWords(data, { mt, mc }) {
  const onMt = mt === null ? null : mtName(data, mt)
  const [short, other] = data.side === 'mt' ? [onMt, mc] : [mc, onMt]
  const [here, there] = data.side === 'mt' ? [NETWORK_NAMES.mt, NETWORK_NAMES.mc] : [NETWORK_NAMES.mc, NETWORK_NAMES.mt]
  return {
    own: short === null ? null : `${here} ${short}`,
    short,
    other: other === null ? null : `${there} ${other}`
  }
}

/** @param {Say} t @param {Cell} cell */
export function modeWord(t, cell) {
  const mode = modeOf(cell)
  if (mode === 'on') return t('on')
  return mode === 'off' ? t('off') : t('muted')
}

/**
 * The faults of a cell, in a few words each. `named` are MC names the saved matrix uses: a simulated radio takes up new
 * ones when they are saved.
 * @param {Say} t
 * @param {RoutingData} data
 * @param {{ cell: Cell, region: string, family: string, switches: Switches, orphan: string | null, named: ReadonlySet<string> }} at
 */
export function marksOf(t, data, { cell, family, region, switches, orphan, named }) {
  const marks = cell.enabled ? [] : [modeWord(t, cell)]
  if (orphan) marks.push(orphan)
  for (const network of cell.enabled ? shutNetworks(cell, switches) : [])
    marks.push(t('off for {network}', { network: NETWORK_NAMES[network] }))
  if (cell.mt !== null) marks.push(...unreachable(t, data, 'mt', cell.mt))
  if (cell.mc !== null && !(data.radios.mc?.simulated && !named.has(cell.mc)))
    marks.push(...unreachable(t, data, 'mc', cell.mc))
  if (modeOf(cell) === 'off' && switches.enabled && fallsThrough(data, family, region))
    marks.push(t('broadcast all the same'))
  return marks
}

/**
 * @param {Say} t
 * @param {RoutingData} data
 * @param {'mt' | 'mc'} network
 * @param {number | string} channel
 */
function unreachable(t, data, network, channel) {
  const name = NETWORK_NAMES[network]
  const radio = data.radios[network]
  if (radio === null) return [t('no {network} radio', { network: name })]
  if (radio.state !== 'ready') return []
  const known = radio.channels.find(({ id }) => id === channel)
  if (known === undefined) return [t('{network}: not on the radio', { network: name })]
  return known.enabled ? [] : [t('{network}: disabled on the radio', { network: name })]
}

/**
 * Contract §4 rule 2: events of a disabled cell go the other way, which may broadcast them after all.
 * @param {RoutingData} data
 * @param {string} family
 * @param {string} region
 */
export function fallsThrough({ outside }, family, region) {
  return (outside[family] ?? []).some((scope) => scope.length === 0 || scope.includes(region))
}

/**
 * The work of the policy that decides in place of cells (contract §4 rule 11): `Meshtastic 4 Ops, priority and up`.
 * @param {Say} t
 * @param {RoutingData} data
 * @param {RoutingData['policies'][string]} policy
 */
export function policyWords(t, data, { enabled, mt, mc, destinations, min_severity }) {
  if (!enabled) return t('the policy is off: nothing is sent')
  const own = [
    mt === null ? '' : `${NETWORK_NAMES.mt} ${mtName(data, mt)}`,
    mc === null ? '' : `${NETWORK_NAMES.mc} ${mc}`
  ].filter((one) => one !== '')
  const channels = destinations.length > 0 ? destinations : own
  if (channels.length === 0) return t('the policy names no channel: nothing is sent')
  return [...channels, t('{severity} and up', { severity: floorNames(t)[min_severity] })].join(', ')
}

/**
 * A warning about the matrix, found by the station or while somebody edits; one of a code that is not of the page says what
 * the station says.
 * @param {Say} t
 * @param {Finding} finding `family` by its label
 */
export function findingWords(t, { code, message = '', family = '', region = '', channels = [] }) {
  const values = { count: channels.length, most: MT_CHANNELS_BEFORE_WARNING, channels: channels.join(', ') }
  if (code === 'mt_channels_exceeded')
    return t(
      '{count} different Meshtastic channels are in use ({channels}), more than {most}: every radio that is to hear them all must have all of them.',
      values
    )
  if (code === 'orphan_region')
    return t('No coverage area is named “{name}”: its cells are kept, but no event will match them.', { name: region })
  if (code === 'orphan_family')
    return t('“{name}” is not a family any more: its cells are kept, but no event will match them.', { name: family })
  if (code === 'disabled_cell_falls_through')
    return t(
      '{family}, {region} is off, and the family’s own policy or a rule broadcasts its events: mute it for silence.',
      { family, region }
    )
  return message
}
