/** What became of a cell or of one of its channels. */
export type CellState = 'sent' | 'held' | 'suppressed' | 'stood_by' | 'none'

/** What would have to change before a cell sends: a stable word, a template in English and its values. Times are RFC 3339. */
export interface Obstacle {
  reason: string
  text: string
  values: Record<string, string | number>
}

/** By the reason of the trace, where it has one. The templates are the keys of their translations. */
const CHANGES: Readonly<Record<string, string>> = {
  not_touched: 'The event does not touch this region.',
  no_region: 'The event carries no region: name the coverage areas it lies in and switch region tagging on.',
  no_cell: 'Give the cell a channel.',
  matrix_off: 'Switch the matrix on.',
  cell_disabled: 'Switch the cell on.',
  muted: 'Nothing is told there on purpose: switch the cell on.',
  below_min_severity: 'Lower the floor to {severity}.',
  notifications_off: 'Switch notifications on.',
  outside: 'The event lies outside every coverage area: widen an area.',
  unlocated_weather: 'Weather without a usable location is not sent: give it a place.',
  unplaced: 'Nothing here tells where its zones lie: import a zone pack (lookout zones import).',
  superseded: 'Nothing: something newer about the same places was sent.',
  cold_start: 'Nothing: it was there when its source started.',
  expired: 'Nothing: it is over.',
  stale: 'It is too old to be news: raise freshness_seconds of {family}.',
  ended_by_time: 'Nothing: it ended by time, which is not told.',
  nothing_to_cancel: 'Nothing: an end is told only where the beginning was.',
  already_cancelled: 'Nothing: this channel was told of the end.',
  ended_before: 'Nothing: what this channel was told has ended by itself.',
  replaced: 'Nothing: this channel hears of what takes its place.',
  silenced: 'Silenced by {author} until {until}: end the silence, or wait.',
  inhibited: 'Inhibited by {by}: it is sent once that is over.',
  duplicate: 'The channel has this already: only news is sent.',
  cooldown: 'It cools down for {seconds} s more: wait, or shorten cooldown_seconds of {family}.',
  quiet_hours: 'It waits for the end of the quiet hours at {until}.',
  stands_by: 'It stands in for {channels}: sent when that does not get through.',
  stands_idle: 'It stands in for {channels}, where nothing is sent.',
  no_radio: 'Connect a radio of this network.',
  radio_down: 'Bring the radio back: it is not ready.',
  no_channel: 'Give the radio the channel {channel}, or correct the cell.',
  channel_disabled: 'Enable the channel {channel} on the radio, or choose another.',
  silent: 'Nothing in the matrix: see the trace.'
}

/** The obstacle of this reason. A reason without words of its own points at the trace. */
export function obstacle(reason: string, values: Obstacle['values'] = {}): Obstacle {
  return { reason, text: CHANGES[reason] ?? CHANGES['silent'] ?? '', values }
}

/** All of them as sentences. */
export function changeText(wanted: readonly Obstacle[]): string {
  return wanted
    .map(({ text, values }) => text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all)))
    .join(' ')
}
