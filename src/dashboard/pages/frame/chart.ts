import { MEASURES, type Measure } from '../../../../web/shared/measures.js'
import type { Language } from '../../../model/words/languages.ts'
import { type Series, thinned } from '../../../platform/metrics/series.ts'
import type { Span } from '../../../warning/outbox/last-day.ts'
import { type Html, html } from './html.ts'

const WIDTH = 640
const HEIGHT = 150
const LEFT = 4
const TOP = 10
const BOTTOM = 18
/** Two points a pixel of a phone are enough. */
const MOST_POINTS = 480
/** Lines are told apart by their dashes as well as by their colour. */
const LINES = 6
/** Longer without a measurement is a gap. Milliseconds. */
const GAP_MS = 6 * 60_000

export interface ChartSpec {
  /** Names the chart for scripts and tests. */
  id: string
  title: string
  series: readonly Series[]
  from: number
  to: number
  /** How its numbers are read: `41 %`, `1.2 GB`. */
  format: Measure
  /** Shaded behind the lines. */
  spans?: readonly Pick<Span, 'from' | 'until'>[]
  /** The scale begins here at the latest; without it at the smallest value. */
  floor?: number
  /** The scale ends here at the earliest: 100 of a per cent. */
  ceiling?: number
  /** Decides how numbers are written. */
  language: Language
  words: { last: string; smallest: string; largest: string; more: (count: number) => string }
  /** A moment as it stands below the axis. */
  moment: (at: number) => string
}

interface Scale {
  x: (at: number) => number
  y: (value: number) => number
  low: number
  high: number
}

/**
 * A line chart as SVG without a script, and the same as a table for whoever cannot see it; null while there is no line to draw. A step
 * a line: one of a week has thousands of points.
 */
export function* chartSteps(spec: ChartSpec): Generator<null, Html | null> {
  const drawable = spec.series.filter(({ points }) => points.length > 1)
  const shown = drawable.slice(0, LINES)
  if (shown.length === 0) return null
  const heading = html`<h3 id="chart-${spec.id}">${spec.title}</h3>`
  const scale = scaleOf(shown, spec)
  const lines: Html[] = []
  for (const [n, series] of shown.entries()) {
    yield null
    lines.push(html`<path class="line s${n}" d="${path(thinned(series, MOST_POINTS), scale)}"/>`)
  }
  yield null
  const hidden = drawable.length - shown.length
  const told = MEASURES[spec.format]
  return html`<figure class="chart" id="${spec.id}" data-from="${spec.from}" data-to="${spec.to}" data-low="${scale.low}" data-high="${scale.high}" data-format="${spec.format}">${heading}
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="chart-${spec.id}" preserveAspectRatio="none">
${bands(spec, scale)}<path class="grid" d="M0 ${TOP}H${WIDTH}M0 ${HEIGHT - BOTTOM}H${WIDTH}"/>
${lines}
</svg>
<p class="scale"><span>${told(scale.low, spec.language)} … ${told(scale.high, spec.language)}</span><span>${spec.moment(spec.from)} … ${spec.moment(spec.to)}</span></p>
${table(shown, spec)}${hidden > 0 ? html`<p class="quiet">${spec.words.more(hidden)}</p>` : null}</figure>
`
}

function scaleOf(series: readonly Series[], { from, to, floor, ceiling }: ChartSpec): Scale {
  const ends = series.flatMap(({ points }) => extremes(points))
  const low = Math.min(floor ?? Number.POSITIVE_INFINITY, ...ends)
  const top = Math.max(ceiling ?? Number.NEGATIVE_INFINITY, ...ends)
  const high = top > low ? top : low + 1
  return {
    low,
    high,
    x: (at) => LEFT + ((at - from) / Math.max(1, to - from)) * (WIDTH - 2 * LEFT),
    y: (value) => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM)
  }
}

/** Spreading thousands of values into a call would overflow its stack. */
function extremes(points: Series['points']): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const { value } of points) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

function path({ points }: Series, { x, y }: Scale): string {
  let before: number | null = null
  const gap = gapOf(points)
  const steps = points.map(({ at, value }) => {
    const letter = before === null || at - before > gap ? 'M' : 'L'
    before = at
    return `${letter}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
  })
  return steps.join('')
}

/** Thinned points stand further apart than measured ones. */
function gapOf(points: Series['points']): number {
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)
  return Math.max(GAP_MS, (8 * span) / Math.max(1, points.length))
}

/** Behind the lines: a shade says only when. */
function bands({ spans = [], from, to }: ChartSpec, { x }: Scale): Html[] {
  return spans
    .filter((span) => span.until > from && span.from < to)
    .map((span) => {
      const left = x(Math.max(span.from, from))
      const width = Math.max(1, x(Math.min(span.until, to)) - left)
      return html`<rect class="band" x="${left.toFixed(1)}" y="${TOP}" width="${width.toFixed(1)}" height="${HEIGHT - TOP - BOTTOM}"/>`
    })
}

function table(series: readonly Series[], { words, format: measure, title, language }: ChartSpec): Html {
  const format = MEASURES[measure]
  const rows = series.map(({ name, points }, n) => {
    const [low, high] = extremes(points)
    return html`<tr><th scope="row"><svg class="key" viewBox="0 0 28 8" aria-hidden="true"><path class="line s${n}" d="M0 4H28"/></svg> ${name}</th><td>${format(points.at(-1)?.value ?? 0, language)}</td><td>${format(low, language)}</td><td>${format(high, language)}</td></tr>`
  })
  return html`<table aria-label="${title}"><thead><tr><td></td><th scope="col">${words.last}</th><th scope="col">${words.smallest}</th><th scope="col">${words.largest}</th></tr></thead><tbody>${rows}</tbody></table>`
}
