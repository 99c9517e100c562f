import { because, type Reason } from '../../../model/reason.ts'
import { type ListedMessage, MONTHS, swpcTime } from './documents.ts'
import { SCALE_LETTERS, type ScaleLevel } from './scales.ts'

/** A space weather message, read by its lines. Times are epoch milliseconds. */
export interface SpaceBulletin {
  code: string
  serial: number
  /** `WATCH`, `WARNING`, `ALERT` or `SUMMARY`. */
  type: string
  cancels: boolean
  /** The subject: `Geomagnetic K-index of 6 expected`. */
  headline: string
  issued: number
  /** Serial of the message of the same code that it extends, continues or cancels. */
  refersTo: number | null
  scale: ScaleLevel | null
  /** The K index it is about. */
  k: number | null
  from: number | null
  until: number | null
  /** Of a watch: the days with a storm, in order. */
  days: { label: string; start: number; scale: ScaleLevel }[]
}

const DAY_MS = 86_400_000
const HEADLINE = /^[^\S\n]*(?:(CANCEL|EXTENDED|CONTINUED) )?(ALERT|WARNING|WATCH|SUMMARY):[ \t]*(.+)$/m

/** The parts of a message, or why it is none. */
export function readBulletin({ issued: listed, text }: ListedMessage): SpaceBulletin | Reason {
  const lines = text.replace(/\r\n?/g, '\n')
  const code = field(lines, 'Space Weather Message Code')
  const serial = serialOf(field(lines, 'Serial Number'))
  if (!/^[A-Z0-9]{3,12}$/.test(code) || serial === null) return because('no_message_code')
  const issued = listed ?? swpcTime(field(lines, 'Issue Time'))
  if (issued === null) return because('no_issue_time')
  const [, how = '', type = '', headline = ''] = HEADLINE.exec(lines) ?? []
  if (type === '') return because('no_bulletin_type')
  const days = type === 'WATCH' ? daysOf(lines, issued) : []
  const k = kOf(code, headline)
  return {
    code,
    serial,
    type,
    cancels: how === 'CANCEL',
    headline: headline.trim(),
    issued,
    refersTo: referenceOf(lines),
    scale: scaleOf(lines, headline, k),
    k,
    from: days[0]?.start ?? swpcTime(field(lines, 'Valid From')),
    until: endOf(lines, days),
    days
  }
}

/** The rest of the line that begins with this name. */
function field(lines: string, name: string): string {
  return new RegExp(`^[ \\t]*${name}:[ \\t]*(.*)$`, 'm').exec(lines)?.[1]?.trim() ?? ''
}

function serialOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

function referenceOf(lines: string): number | null {
  const named = ['Extension to Serial Number', 'Continuation of Serial Number', 'Cancel Serial Number']
  return named.map((name) => serialOf(field(lines, name))).find((serial) => serial !== null) ?? null
}

/** Codes of K-index messages end in K and two digits; `K-index of 8, 9-` counts as 8. */
function kOf(code: string, headline: string): number | null {
  const digit = /K0(\d)$/.exec(code)?.[1] ?? /K-index of (\d)/i.exec(headline)?.[1]
  return digit === undefined ? null : Number(digit)
}

/** The scale the message names, else that of its headline (`Category G3`), else that of its K index. */
function scaleOf(lines: string, headline: string, k: number | null): ScaleLevel | null {
  const named = /NOAA Scale:\s*([RSG][1-5])\b/.exec(lines)?.[1] ?? /\bCategory (G[1-5])\b/.exec(headline)?.[1]
  if (named !== undefined) return levelOf(named)
  return k === null || k < 5 ? null : { letter: 'G', level: k - 4 }
}

function levelOf(text: string): ScaleLevel | null {
  const letter = SCALE_LETTERS.find((known) => text.startsWith(known))
  return letter === undefined ? null : { letter, level: Number(text.slice(1)) }
}

/** `Apr 16:  G3 (Strong)   Apr 17:  None (Below G1)`; the year is that of the issue, or the next one. */
function daysOf(lines: string, issued: number): SpaceBulletin['days'] {
  const year = new Date(issued).getUTCFullYear()
  return [...lines.matchAll(/\b([A-Z][a-z]{2}) (\d{1,2}):\s+(G[1-5])\b/g)].flatMap(
    ([, month = '', day = '', named = '']) => {
      const index = MONTHS.indexOf(month)
      const scale = levelOf(named)
      if (index < 0 || scale === null) return []
      const at = Date.UTC(year, index, Number(day))
      const start = at < issued - 30 * DAY_MS ? Date.UTC(year + 1, index, Number(day)) : at
      return [{ label: `${month} ${day} ${named}`, start, scale }]
    }
  )
}

function endOf(lines: string, days: SpaceBulletin['days']): number | null {
  const last = days.at(-1)
  if (last !== undefined) return last.start + DAY_MS
  const named = ['Now Valid Until', 'Valid To', 'Valid Until']
  return named.map((name) => swpcTime(field(lines, name))).find((time) => time !== null) ?? null
}
