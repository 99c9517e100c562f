import { NAMED_ENTITIES } from '../../platform/text.ts'

/** One caption: what is shown at a time. */
export interface Cue {
  /** Seconds. */
  start: number
  end: number
  /** Without tags; entities decoded. */
  lines: string[]
}

const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,3}))?`
const TIMING = new RegExp(`^\\s*${TIME}\\s*-+>\\s*${TIME}`)
const START_ONLY = new RegExp(`^\\s*${TIME}\\s*-+>`)
/** Captions also say in which direction they run. */
const ENTITIES = new Map([...NAMED_ENTITIES, ['lrm', ''], ['rlm', '']])

/**
 * The cues of a WebVTT (W3C) or SubRip file, in the order of the file. Tolerant: either kind of decimal mark, hours or not,
 * missing blank lines and numbers, ends before their starts. What is no cue (the header, NOTE, STYLE, REGION, cues whose
 * time cannot be read) is left out; `broken` counts the latter.
 */
export function readCues(text: string): { cues: Cue[]; broken: number } {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const cues: Cue[] = []
  let broken = 0
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (!line.includes('->')) continue
    const times = timesOf(line)
    const from = at + 1
    while (at + 1 < lines.length && !isEnd(lines, at + 1)) at++
    if (times === null) broken++
    else cues.push({ ...times, lines: plainLines(lines.slice(from, at + 1)) })
  }
  return { cues, broken }
}

/** A blank line, or the next cue where somebody has forgotten the blank line (and perhaps given it a number). */
function isEnd(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '' || TIMING.test(line) || START_ONLY.test(line)) return true
  return /^\s*\d+\s*$/.test(line) && TIMING.test(lines[at + 1] ?? '')
}

function timesOf(line: string): { start: number; end: number } | null {
  const both = TIMING.exec(line)
  if (both !== null) {
    const [start, end] = [seconds(both.slice(1, 5)), seconds(both.slice(5, 9))]
    return { start, end: Math.max(start, end) }
  }
  const found = START_ONLY.exec(line)
  if (found === null) return null
  const start = seconds(found.slice(1, 5))
  return { start, end: start }
}

function seconds([hours = '0', minutes = '0', whole = '0', part = '']: (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(part.padEnd(3, '0') || 0) / 1000
}

/**
 * The speaker's name stands before the words; every other tag goes, with the times of karaoke and the positions of
 * SubRip.
 */
function plainLines(lines: readonly string[]): string[] {
  const voiced = lines
    .join('\n')
    .replace(/<v(?:\.[^\s<>]{0,80})?[ \t]+([^<>]{1,80})>/gi, (_, name: string) => `${name.trim()}: `)
    .replace(/<[^<>]{0,300}>/g, '')
    .replace(/\{\\[^{}]{0,60}\}/g, '')
    .replace(/&(#x?[\da-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => entity(name) ?? whole)
  return voiced
    .split('\n')
    .map((line) => line.replace(/[\s\u200b-\u200f]+/g, ' ').trim())
    .filter((line) => line !== '')
}

function entity(name: string): string | null {
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? null
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : null
}
