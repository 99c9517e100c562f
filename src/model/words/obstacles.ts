import type { OBSTACLE_CODES } from '../reasons/obstacles.ts'
import type { SentencesOf } from './sentence.ts'

/** A page fills in the values by itself: as it writes times, levels and channels. */
export const OBSTACLE_SENTENCES = {
  want_not_touched: { en: 'The event does not touch this region.', de: 'Das Ereignis berührt diese Region nicht.' },
  want_no_region: {
    en: 'The event carries no region: name the coverage areas it lies in and switch region tagging on.',
    de: 'Das Ereignis trägt keine Region: benennen Sie die Gebiete, in denen es liegt, und schalten Sie das Zuordnen der Regionen ein.'
  },
  want_no_cell: { en: 'Give the cell a channel.', de: 'Der Zelle einen Kanal geben.' },
  want_matrix_off: { en: 'Switch the matrix on.', de: 'Die Matrix einschalten.' },
  want_network_off: {
    en: 'Switch the matrix on for {network}.',
    de: 'Die Matrix für {network} einschalten.'
  },
  want_cell_disabled: { en: 'Switch the cell on.', de: 'Die Zelle einschalten.' },
  want_muted: {
    en: 'Nothing is told there on purpose: switch the cell on.',
    de: 'Dort wird mit Absicht nichts gemeldet: Schalten Sie die Zelle ein.'
  },
  want_below_min_severity: { en: 'Lower the floor to {severity}.', de: 'Die Schwelle auf {severity} senken.' },
  want_notifications_off: { en: 'Switch notifications on.', de: 'Benachrichtigungen einschalten.' },
  want_outside: {
    en: 'The event lies outside every coverage area: widen an area.',
    de: 'Das Ereignis liegt außerhalb jedes Gebiets: ein Gebiet erweitern.'
  },
  want_unlocated_weather: {
    en: 'Weather without a usable location is not sent: give it a place.',
    de: 'Wetter ohne brauchbaren Ort wird nicht gesendet: geben Sie ihm einen.'
  },
  want_unplaced: {
    en: 'Nothing here tells where its zones lie: import a zone pack (lookout zones import).',
    de: 'Nichts sagt hier, wo seine Zonen liegen: ein Zonenpaket einlesen (lookout zones import).'
  },
  want_superseded: {
    en: 'Nothing: something newer about the same places was sent.',
    de: 'Nichts: Neueres über dieselben Orte wurde gesendet.'
  },
  want_cold_start: {
    en: 'Nothing: it was there when its source started.',
    de: 'Nichts: es war beim Start der Quelle schon da.'
  },
  want_expired: { en: 'Nothing: it is over.', de: 'Nichts: es ist vorbei.' },
  want_stale: {
    en: 'It is too old to be news: raise freshness_seconds of {family}.',
    de: 'Es ist zu alt: freshness_seconds von {family} erhöhen.'
  },
  want_ended_by_time: {
    en: 'Nothing: it ended by time, which is not told.',
    de: 'Nichts: es endete von selbst, und das wird nicht gemeldet.'
  },
  want_nothing_to_cancel: {
    en: 'Nothing: an end is told only where the beginning was.',
    de: 'Nichts: ein Ende erfährt nur, wer den Anfang erfuhr.'
  },
  want_already_cancelled: {
    en: 'Nothing: this channel was told of the end.',
    de: 'Nichts: dieser Kanal hat vom Ende erfahren.'
  },
  want_ended_before: {
    en: 'Nothing: what this channel was told has ended by itself.',
    de: 'Nichts: was dieser Kanal erfuhr, ist von selbst geendet.'
  },
  want_replaced: {
    en: 'Nothing: this channel hears of what takes its place.',
    de: 'Nichts: dieser Kanal erfährt, was an seine Stelle tritt.'
  },
  want_silenced: {
    en: 'Silenced by {author} until {until}: end the silence, or wait.',
    de: 'Stummgeschaltet von {author} bis {until}: beenden Sie das, oder warten Sie.'
  },
  want_inhibited: {
    en: 'Inhibited by {by}: it is sent once that is over.',
    de: 'Gehemmt durch {by}: gesendet, sobald das vorbei ist.'
  },
  want_duplicate: {
    en: 'The channel has this already: only news is sent.',
    de: 'Der Kanal hat das schon: nur Neues wird gesendet.'
  },
  want_cooldown: {
    en: 'It cools down for {seconds} s more: wait, or shorten cooldown_seconds of {family}.',
    de: 'Noch {seconds} s Sperrzeit: warten, oder cooldown_seconds von {family} verkürzen.'
  },
  want_quiet_hours: {
    en: 'It waits for the end of the quiet hours at {until}.',
    de: 'Es wartet bis zum Ende der Ruhezeit: {until}.'
  },
  want_stands_by: {
    en: 'It stands in for {channels}: sent when that does not get through.',
    de: 'Springt für {channels} ein: gesendet, wenn das nicht durchkommt.'
  },
  want_stands_idle: {
    en: 'It stands in for {channels}, where nothing is sent.',
    de: 'Springt für {channels} ein, wo nichts gesendet wird.'
  },
  want_no_radio: { en: 'Connect a {network} radio.', de: 'Ein Funkgerät für {network} anschließen.' },
  want_radio_down: {
    en: 'Bring the {network} radio back: it is not ready.',
    de: 'Das Funkgerät für {network} wieder in Gang bringen: es ist nicht bereit.'
  },
  want_no_channel: {
    en: 'Give the radio the channel {channel}, or correct the cell.',
    de: 'Dem Funkgerät den Kanal {channel} geben, oder die Zelle berichtigen.'
  },
  want_channel_disabled: {
    en: 'Enable the channel {channel} on the radio, or choose another.',
    de: 'Den Kanal {channel} am Funkgerät einschalten, oder einen anderen wählen.'
  },
  want_silent: { en: 'Nothing in the matrix: see the trace.', de: 'Nichts in der Matrix: siehe die Schritte.' }
} as const satisfies SentencesOf<typeof OBSTACLE_CODES>
