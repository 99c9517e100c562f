import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { isObject } from '../../../platform/config/json.ts'
import { oneLine } from '../../../platform/text.ts'
import { ShallowParser } from './shallow-parser.ts'

/** One file of captions that a page names. */
export interface CaptionTrack {
  /** As it stands in the page: it may be relative. */
  address: string
  /** BCP 47, as the page says; empty: it does not. */
  language: string
  label: string
  /** A machine has written it. */
  machine: boolean
  /** The page would show it by itself. */
  first: boolean
}

/** A recording that is watched on a page, as the page tells of it. */
export interface Recording {
  tracks: CaptionTrack[]
  /** `og:platform`: the software of the site. */
  platform: string
}

const MOST_TRACKS = 200
const MOST_DEPTH = 500
/** A script with the data of a player is some hundred kB. Characters. */
const MOST_SCRIPT = 4_000_000
const PLAYER = '"captionTracks":'

/**
 * The captions of a recording that a page names: elements `track` of kind captions or subtitles (HTML, §4.8.11), else the `captionTracks`
 * of the data of a player that stands in one of its scripts. Pure.
 */
export function recordingOf(html: string): Recording {
  const found: Recording = { tracks: [], platform: '' }
  let depth = 0
  let script: string | null = null
  const inScripts: CaptionTrack[] = []
  const parser = new ShallowParser(
    {
      onopentag: (tag, attributes) => {
        depth++
        if (tag === 'script') script = ''
        if (tag === 'meta' && attributes['property']?.toLowerCase() === 'og:platform')
          found.platform ||= oneLine(attributes['content'] ?? '', 60)
        if (tag === 'track' && found.tracks.length < MOST_TRACKS) found.tracks.push(...trackOf(attributes))
      },
      ontext: (text) => {
        if (script !== null && script.length < MOST_SCRIPT) script += text
      },
      onclosetag: (tag) => {
        depth--
        if (tag !== 'script' || script === null) return
        if (inScripts.length === 0) inScripts.push(...playerTracks(script))
        script = null
      }
    },
    () => depth > MOST_DEPTH
  )
  parser.end(html)
  return found.tracks.length > 0 ? found : { ...found, tracks: inScripts }
}

/** Without a kind an element `track` is one of subtitles (HTML, §4.8.11). */
function trackOf(attributes: Readonly<Record<string, string>>): CaptionTrack[] {
  const kind = (attributes['kind'] ?? 'subtitles').trim().toLowerCase()
  const address = (attributes['src'] ?? '').trim()
  if (address === '' || (kind !== 'captions' && kind !== 'subtitles')) return []
  const label = oneLine(attributes['label'] ?? '', 100)
  const language = (attributes['srclang'] ?? '').trim().slice(0, 35)
  return [{ address, language, label, machine: false, first: 'default' in attributes }]
}

function playerTracks(script: string): CaptionTrack[] {
  const at = script.indexOf(PLAYER)
  if (at < 0) return []
  const listed = jsonOr(null, arrayAt(script, at + PLAYER.length))
  if (!Array.isArray(listed)) return []
  return listed.slice(0, MOST_TRACKS).flatMap((one: unknown) => (isObject(one) ? playerTrack(one) : []))
}

function playerTrack(one: Readonly<Record<string, unknown>>): CaptionTrack[] {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const address = text(one['baseUrl'])
  if (address === '') return []
  const name = isObject(one['name']) ? one['name'] : {}
  const [run] = Array.isArray(name['runs']) ? name['runs'] : []
  const label = oneLine(text(name['simpleText']) || (isObject(run) ? text(run['text']) : ''), 100)
  return [{ address, language: text(one['languageCode']), label, machine: one['kind'] === 'asr', first: false }]
}

/** The JSON array that begins here, to its closing bracket; '' when there is none. */
function arrayAt(text: string, from: number): string {
  const start = text.indexOf('[', from)
  if (start < 0 || text.slice(from, start).trim() !== '') return ''
  let open = 0
  // A string is one piece: its brackets are none of ours. One without an end goes to the end, and is not looked through again and again.
  for (const { 0: piece, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]]/gs)) {
    if (piece === '[') open++
    else if (piece === ']' && --open === 0) return text.slice(start, start + index + 1)
  }
  return ''
}
