import { REASON_PARAMS, type Reason, type ReasonValue } from '../reason.ts'
import { ADDRESSES_SENTENCES } from './addresses.ts'
import { ANSWERS_SENTENCES } from './answers.ts'
import { ARCHIVER_SENTENCES } from './archiver.ts'
import { AUDIT_SENTENCES } from './audit.ts'
import { BODIES_SENTENCES } from './bodies.ts'
import { BULK_SENTENCES } from './bulk.ts'
import { DECISION_SENTENCES, FOLLOWING_SENTENCES } from './decision.ts'
import { DELIVERY_SENTENCES } from './delivery.ts'
import { DOCUMENTS_SENTENCES } from './documents.ts'
import { FILES_SENTENCES } from './files.ts'
import { HOTSPOT_SENTENCES } from './hotspot.ts'
import { ITEMS_SENTENCES } from './items.ts'
import { JOBS_SENTENCES } from './jobs.ts'
import { KEYS_SENTENCES } from './keys.ts'
import type { Language } from './languages.ts'
import { LIBRARY_SENTENCES } from './library.ts'
import { OBSTACLE_SENTENCES } from './obstacles.ts'
import { ODDITY_SENTENCES } from './oddities.ts'
import { PERIODS_SENTENCES } from './periods.ts'
import { PLATFORM_SENTENCES } from './platform.ts'
import { PROBE_SENTENCES } from './probe.ts'
import { RADIO_SENTENCES } from './radio.ts'
import { SEARCH_SENTENCES } from './search.ts'
import { SENDERS_SENTENCES } from './senders.ts'
import type { PluralSentence, Sentence, SentencesOf } from './sentence.ts'
import { SETUP_SENTENCES } from './setup.ts'
import { SOURCES_SENTENCES } from './sources.ts'
import { STRAIN_SENTENCES } from './strain.ts'
import { TERMINAL_SENTENCES } from './terminal.ts'
import { UPDATE_SENTENCES } from './update.ts'
import { channelSaid, JOINTS, VALUE_WORDS } from './values.ts'
import { VERB_SENTENCES } from './verbs.ts'
import { ZONE_SENTENCES } from './zones.ts'

/** The sentences of reasons, by code, in every language there is: the one place that knows them. */
export const SENTENCES: SentencesOf<typeof REASON_PARAMS> = {
  note: { en: '{text}', de: '{text}' },
  ...DELIVERY_SENTENCES,
  ...DECISION_SENTENCES,
  ...FOLLOWING_SENTENCES,
  ...OBSTACLE_SENTENCES,
  ...RADIO_SENTENCES,
  ...PLATFORM_SENTENCES,
  ...SEARCH_SENTENCES,
  ...ARCHIVER_SENTENCES,
  ...LIBRARY_SENTENCES,
  ...KEYS_SENTENCES,
  ...JOBS_SENTENCES,
  ...FILES_SENTENCES,
  ...BULK_SENTENCES,
  ...DOCUMENTS_SENTENCES,
  ...ADDRESSES_SENTENCES,
  ...SOURCES_SENTENCES,
  ...BODIES_SENTENCES,
  ...ITEMS_SENTENCES,
  ...SENDERS_SENTENCES,
  ...ANSWERS_SENTENCES,
  ...PERIODS_SENTENCES,
  ...TERMINAL_SENTENCES,
  ...ZONE_SENTENCES,
  ...VERB_SENTENCES,
  ...AUDIT_SENTENCES,
  ...PROBE_SENTENCES,
  ...HOTSPOT_SENTENCES,
  ...SETUP_SENTENCES,
  ...UPDATE_SENTENCES,
  ...STRAIN_SENTENCES,
  ...ODDITY_SENTENCES
}

const PLURALS: Partial<Record<Language, Intl.PluralRules>> = {}

/** The sentence of a reason. A value is put in as it is and never read again, so its length and its words cost nothing. */
export function sentenceOf(reason: Reason, language: Language = 'en'): string {
  return filled(SENTENCES[reason.code][language], reason.params, { values: shownValues(reason, language), language })
}

/** The sentence before its values are filled in; of one with plural forms, the one its number asks for. */
export function templateOf({ code, params }: Reason, language: Language = 'en'): string {
  const sentence: Sentence = SENTENCES[code][language]
  return typeof sentence === 'string' ? sentence : pluralForm(sentence, params, language)
}

/** The values that fill a sentence, by name: for a page that writes its values by itself. */
export function shownValues({ code, params }: Reason, language: Language = 'en'): ReadonlyMap<string, string> {
  const kinds: Readonly<Record<string, string>> = REASON_PARAMS[code]
  return new Map(Object.entries(params).map(([name, value]) => [name, shown(kinds[name], value, language)]))
}

function shown(kind: string | undefined, value: ReasonValue, language: Language): string {
  if (typeof value === 'object') {
    if (!('code' in value)) return joined(kind, value, language)
    const sentence = sentenceOf(value, language)
    return kind === 'begun' ? begun(sentence) : sentence
  }
  if (kind === 'time') return new Date(value).toISOString()
  const text = typeof value === 'number' ? String(Number(value)) : value
  if (kind === 'channel') return channelSaid(text, language)
  if (kind !== 'word' || language === 'en') return text
  const words = VALUE_WORDS[language]
  return Object.hasOwn(words, text) ? (words[text] ?? text) : text
}

const CHANNELS: ReadonlySet<string> = new Set(['channels', 'anyChannel', 'allChannels'])
const SEPARATORS: Readonly<Record<string, string>> = { causes: '; ', sentences: ' ' }

function joined(kind = '', parts: readonly (string | Reason)[], language: Language): string {
  const name = CHANNELS.has(kind) ? (key: string) => channelSaid(key, language) : (text: string) => text
  const said = parts.map((part) => (typeof part === 'string' ? name(part) : sentenceOf(part, language)))
  if (kind === 'any' || kind === 'anyChannel') return said.join(JOINTS[language].any)
  if (kind === 'all' || kind === 'allChannels') return said.join(JOINTS[language].all)
  if (kind === 'within') return said.join(JOINTS[language].within)
  return said.join(SEPARATORS[kind] ?? ', ')
}

const begun = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`

/** A template with its values; of a sentence with plural forms, the one its number asks for. */
export function filled(
  sentence: Sentence,
  params: Reason['params'],
  { values, language }: { values: ReadonlyMap<string, string>; language: Language }
): string {
  const template = typeof sentence === 'string' ? sentence : pluralForm(sentence, params, language)
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '…')
}

function pluralForm({ by, one, other }: PluralSentence, params: Reason['params'], language: Language): string {
  PLURALS[language] ??= new Intl.PluralRules(language)
  return PLURALS[language].select(Number(params[by])) === 'one' ? one : other
}
