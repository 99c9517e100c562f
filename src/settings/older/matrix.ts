import { type Bag, entriesOf, isBag, type TranslateOptions, type Translation } from './notes.ts'

const AT = ['notifications', 'region_routes'] as const

/** The matrix: family → region → cell. Its later form has a switch for each network instead of one for all. */
export function matrixOf(translation: Translation, older: unknown, options: TranslateOptions): void {
  switchesOf(translation, older)
  for (const [key, value] of entriesOf(older)) {
    if (key === 'cells') cellsOf(translation, value, options)
    else if (key !== 'enabled' && key !== 'mt_enabled' && key !== 'mc_enabled')
      translation.note('no_counterpart', [...AT, key])
  }
}

/**
 * The later form has no switch above those of the networks: ours is on when one of them is. They are taken as they stand; one that
 * is not there was off.
 */
function switchesOf(translation: Translation, older: unknown): void {
  const { enabled, mt_enabled: mt, mc_enabled: mc } = isBag(older) ? older : {}
  if (mt === undefined && mc === undefined) {
    if (enabled !== undefined) translation.put([...AT, 'enabled'], enabled, [...AT, 'enabled'])
    return
  }
  // Where both forms stand, the older system read the newer.
  if (enabled !== undefined) translation.note('no_counterpart', [...AT, 'enabled'])
  translation.put([...AT, 'enabled'], mt === true || mc === true, AT, 'matrix_switch')
  for (const [key, value = false] of Object.entries({ mt_enabled: mt, mc_enabled: mc }))
    translation.put([...AT, key], value, [...AT, key], value === false ? 'network_off' : 'as_it_is')
}

function cellsOf(translation: Translation, rows: unknown, options: TranslateOptions): void {
  for (const [family, row] of entriesOf(rows))
    for (const [region, cell] of entriesOf(row)) {
      const path = [...AT, 'cells', family, region]
      if (isBag(cell)) cellOf(translation, path, cell, options)
      else translation.note('not_readable', path)
    }
}

function cellOf(
  translation: Translation,
  path: readonly string[],
  older: Bag,
  { muteDisabled }: TranslateOptions
): void {
  const { min_severity, enabled } = older
  const channels = {
    mt: channelOf(translation, [...path, 'mt'], older['mt']),
    mc: channelOf(translation, [...path, 'mc'], older['mc'])
  }
  if (channels.mt === null && channels.mc === null) {
    translation.note('no_counterpart', path)
    return
  }
  const cell = { ...channels, ...(min_severity === undefined ? {} : { min_severity }) }
  if (enabled !== false) translation.put(path, cell, path)
  else if (muteDisabled) translation.put(path, { ...cell, enabled, mute: true }, path, 'muted')
  else translation.put(path, { ...cell, enabled }, path, 'falls_through')
}

/** The channel of a cell on one network; null where it has none. */
function channelOf(translation: Translation, path: readonly string[], channel: unknown): unknown {
  if (channel === undefined || channel === null) return null
  const isRoom = typeof channel === 'string' && channel.startsWith('room:')
  if (isRoom) translation.note('room_server', path)
  return isRoom ? null : channel
}
