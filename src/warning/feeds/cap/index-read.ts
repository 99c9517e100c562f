import { because } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { childrenOf, decodeSteps, type Element, xmlSteps } from '../reading/xml.ts'
import type { CapIndex } from './index-entry.ts'
import { jsonIndexSteps } from './index-json.ts'
import { readAtom, readRss } from './index-xml.ts'

const FEED = 'CAP'

/** `auto` finds out; anything else is the only one taken. */
export type IndexFormat = 'auto' | 'atom' | 'rss' | 'json' | 'alerts' | 'alert'

/**
 * Reads the body behind the address of a CAP source: an Atom or RSS index, JSON, a list of whole alerts (IPAWS
 * `<alerts>`) or one alert. `base` is where it came from. Throws AppError `bad-input` for anything else, for what is
 * not the expected format, and for what is not whole.
 */
export function readIndex(body: Uint8Array, options: ReadIndexOptions = {}): CapIndex {
  return drain(indexSteps(body, options))
}

/** `readIndex`, a little at a time. */
export function* indexSteps(
  body: Uint8Array,
  { base = null, format = 'auto' }: ReadIndexOptions = {}
): Generator<void, CapIndex> {
  const text = yield* decodeSteps(body)
  const isJson = /^\s*[[{]/.test(text)
  if (isJson) {
    expect(format, 'json')
    return yield* jsonIndexSteps(text)
  }
  const root = yield* xmlSteps(text, FEED)
  switch (root.name) {
    case 'feed':
      if (childrenOf(root, 'entry').length === 0 && childrenOf(root, 'alert').length > 0) return wrapped(root, format)
      expect(format, 'atom')
      return yield* readAtom(root, base)
    case 'rss':
    case 'RDF':
      expect(format, 'rss')
      return yield* readRss(root, base)
    case 'alert':
      expect(format, 'alert')
      return { alerts: [root], entries: [], skipped: [], updated: null }
    default:
      return wrapped(root, format)
  }
}

/** Envelopes that are sent without an alert while there is none. */
const EMPTY_WHEN_QUIET = new Set(['alerts', 'EDXLDistribution'])

/** Whole alerts in an envelope: the `<alerts>` of IPAWS, EDXL-DE, the answer of a service. */
function wrapped(root: Element, format: IndexFormat): CapIndex {
  const alerts = alertsIn(root)
  if (alerts.length === 0 && !EMPTY_WHEN_QUIET.has(root.name))
    throw new AppError('bad-input', because('body_no_index', { feed: FEED, root: root.name }))
  expect(format, 'alerts')
  return { alerts, entries: [], skipped: [], updated: null }
}

function alertsIn({ children }: Element): Element[] {
  return children.flatMap((child) => (child.name === 'alert' ? [child] : alertsIn(child)))
}

export interface ReadIndexOptions {
  base?: string | null
  format?: IndexFormat
}

function expect(wanted: IndexFormat, found: IndexFormat): void {
  if (wanted !== 'auto' && wanted !== found)
    throw new AppError('bad-input', because('body_other_format', { feed: FEED, found, wanted }))
}
