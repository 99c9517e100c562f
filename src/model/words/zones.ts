import type { ZONE_CODES } from '../reasons/zones.ts'
import type { SentencesOf } from './sentence.ts'

export const ZONE_SENTENCES: SentencesOf<typeof ZONE_CODES> = {
  no_such_zone_source: {
    en: 'there is no source {name}: lookout zones sources shows them',
    de: 'es gibt keine Quelle {name}: lookout zones sources zeigt sie'
  },
  zones_names_source: {
    en: 'name the source: lookout zones fetch NAME; lookout zones sources shows them',
    de: 'nennen Sie die Quelle: lookout zones fetch NAME; lookout zones sources zeigt sie'
  },
  zone_file_by_hand: {
    en: 'this file is downloaded by hand from {address}, then: {command}',
    de: 'diese Datei wird von Hand von {address} geladen, dann: {command}'
  },
  zone_file_not_fetched: {
    en: '{why}. Download {address} where there is a network, then: {command}',
    de: '{why}. Laden Sie {address} dort, wo es ein Netz gibt, dann: {command}'
  },
  zone_file_status: {
    en: 'the server answers {status}: the file may have a newer name (--from ADDRESS)',
    de: 'der Server antwortet {status}: die Datei heißt vielleicht inzwischen anders (--from ADRESSE)'
  },
  zone_source_of_none: {
    en: 'no source is known for {country}: its alerts draw their areas, or docs/zone-packs.md says what to do',
    de: 'für {country} ist keine Quelle bekannt: die Warnungen zeichnen ihre Gebiete, oder docs/zone-packs.md sagt, was zu tun ist'
  }
}
