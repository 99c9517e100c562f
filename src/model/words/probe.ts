import type { PROBE_CODES } from '../reasons/probe.ts'
import type { SentencesOf } from './sentence.ts'

export const PROBE_SENTENCES = {
  no_radio_answers: {
    en: 'no radio answers on {link}: neither Meshtastic nor a MeshCore companion',
    de: 'kein Funkgerät antwortet auf {link}: weder Meshtastic noch ein MeshCore-Companion'
  },
  probe_stopped: {
    en: 'the search was stopped',
    de: 'die Suche wurde abgebrochen'
  },
  probe_under_way: {
    en: 'radios are being looked for already: wait a moment',
    de: 'es wird schon nach Funkgeräten gesucht: bitte einen Moment warten'
  },
  port_is_used: {
    en: 'the radio {radio} is connected there: it is not disturbed',
    de: 'dort ist das Funkgerät {radio} verbunden: es wird nicht gestört'
  }
} as const satisfies SentencesOf<typeof PROBE_CODES>
