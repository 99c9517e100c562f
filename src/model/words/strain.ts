import type { STRAIN_CODES } from '../reasons/strain.ts'
import type { SentencesOf } from './sentence.ts'

export const STRAIN_SENTENCES = {
  strain_temperature: { en: 'the processor has {value} °C', de: 'der Prozessor hat {value} °C' },
  strain_memory: { en: '{value} % of the memory is left', de: '{value} % des Speichers sind frei' },
  strain_own_memory: {
    en: '{value} % of the memory this service may use is in use',
    de: '{value} % des Speichers dieses Dienstes sind belegt'
  },
  strain_memory_pressure: {
    en: 'programs wait for memory {value} % of the time',
    de: 'Programme warten {value} % der Zeit auf Speicher'
  },
  strain_battery: {
    en: 'the battery has {value} % left and is not being charged',
    de: 'die Batterie hat noch {value} % und wird nicht geladen'
  },
  strain_failed_starts: {
    en: '{value} starts in a row failed at once',
    de: '{value} Starts nacheinander sind sofort gescheitert'
  },
  shed_models: { en: 'language models and vectors', de: 'Sprachmodelle und Vektoren' },
  shed_ocr: { en: 'reading of documents', de: 'Lesen von Dokumenten' },
  shed_crawls: { en: 'archiving of web sites', de: 'Archivieren von Webseiten' },
  shed_search: { en: 'search', de: 'Suche' },
  shed_slow_feeds: { en: 'sources that are asked rarely', de: 'selten abgefragte Quellen' },
  shed_dashboard: { en: 'pages for guests', de: 'Seiten für Gäste' },
  is_shed: {
    en: 'given up for now so that warnings go on: {steps} ({causes})',
    de: 'ruht, damit Warnungen weiterlaufen: {steps} ({causes})'
  },
  start_waits: {
    en: 'the last {count} starts failed at once: this one waits {seconds} s; the lines before tell why they ended',
    de: 'die letzten {count} Starts sind sofort gescheitert: Dieser wartet {seconds} s; die Zeilen davor sagen, warum sie endeten'
  }
} as const satisfies SentencesOf<typeof STRAIN_CODES>
