import { duration, number } from '../../../../web/shared/times.js'
import { type Html, html } from '../frame/html.ts'
import type { Reader } from '../frame/reader.ts'
import { BIN_MS, BINS, type Bin, type MeasuredDay, type MeasuredThing } from './measured-day.ts'
import { hazardSources } from './source-cards.ts'

const DAY_MS = 86_400_000
const WIDTH = 960
/** Height of the air time of a radio; below its line is the track of when it was away, which is all that a source has. */
const HIGH = 30
const TRACK = 8
const MOST_RADIOS = 6
const MOST_FEEDS = 4
/** From this share of the hour on, it is nearly full. */
const NEARLY_FULL = 0.8

interface Lanes {
  x: (bin: number) => number
  reader: Reader
}

/** Below the hours of the day: what each radio took of the hour that it may have, and when radios and sources were away. */
export function dayLanes(reader: Reader, measured: MeasuredDay, now: number): Html | null {
  const { t, language } = reader
  if (measured.known === 0) return html`<p class="quiet">${t('Air time and outages: nothing measured yet.')}</p>`
  const x = (bin: number): number =>
    Math.min(WIDTH, Math.max(0, Math.round(((measured.from + bin * BIN_MS - (now - DAY_MS)) / DAY_MS) * WIDTH)))
  const given: Lanes = { x, reader }
  const radios = reader
    .radios()
    .slice(0, MOST_RADIOS)
    .map(({ id, simulated }) => radioLane(given, simulated ? `${id} (${t('simulated')})` : id, measured.radios.get(id)))
  const isUnknown = measured.known < 1 - 1 / BINS
  const known = t('Measured in {hours} of 24 hours; pale: not known.', {
    hours: number(measured.known * 24, language, 1)
  })
  return html`<ul class="lanes">${radios}${feedLanes(given, measured)}</ul>${isUnknown ? html`<p class="quiet">${known}</p>` : null}`
}

function radioLane({ x, reader }: Lanes, name: string, thing: MeasuredThing | undefined): Html {
  const { t, language } = reader
  const bins = thing?.bins ?? Array.from({ length: BINS }, () => null)
  const fullest = bins.reduce((most, bin) => ((bin?.air ?? -1) > (most?.air ?? -1) ? bin : most), null)
  const said =
    fullest?.air == null
      ? t('air time not measured')
      : fullest.air === 0
        ? t('nothing on the air')
        : t('at most {seconds} s on the air in an hour: {share} % of what it may use', {
            seconds: number(fullest.airSeconds, language, 1),
            share: number(fullest.air * 100, language, fullest.air < 0.01 ? 1 : 0)
          })
  const words = html`<p><b>${name}</b> ${said}${away(reader, thing)}</p>`
  if (fullest?.air == null) return html`<li data-key="${name}">${words}${low(bins, x)}</li>`
  return html`<li data-key="${name}">${words}<svg class="strip lane" viewBox="0 0 ${WIDTH} ${HIGH + TRACK + 1}" preserveAspectRatio="none" aria-hidden="true"><path class="graticule" d="M0 1H${WIDTH}M0 ${HIGH}H${WIDTH}"/>${airColumns(bins, x)}${track(bins, x, HIGH + 1)}</svg></li>`
}

/** As tall as the share of the hour, all of a kind in one path: a day has ninety-six. */
function airColumns(bins: readonly (Bin | null)[], x: Lanes['x']): Html[] {
  const paths = { sent: '', priority: '' }
  for (const [n, bin] of bins.entries()) {
    if (bin === null || bin.air === null || bin.air === 0) continue
    const tall = Math.max(1, Math.round(Math.min(1, bin.air) * HIGH))
    paths[bin.air >= NEARLY_FULL ? 'priority' : 'sent'] += `M${x(n)} ${HIGH}v-${tall}H${x(n + 1)}v${tall}z`
  }
  return drawn(paths)
}

/** Nothing while it was there; solid while it was away, pale while nobody measured. */
function track(bins: readonly (Bin | null)[], x: Lanes['x'], top: number): Html[] {
  const paths = { unknown: '', failed: '' }
  const kindOf = (bin: Bin | null | undefined): keyof typeof paths | null =>
    bin == null || bin.points === 0 ? 'unknown' : bin.down > 0 ? 'failed' : null
  let from = 0
  for (const [n, bin] of bins.entries()) {
    const kind = kindOf(bin)
    if (n > 0 && kind !== kindOf(bins[n - 1])) from = n
    const isLast = n === bins.length - 1 || kindOf(bins[n + 1]) !== kind
    if (kind !== null && isLast) paths[kind] += `M${x(from)} ${top}H${x(n + 1)}v${TRACK}H${x(from)}z`
  }
  return drawn(paths)
}

/** The track alone. */
function low(bins: readonly (Bin | null)[], x: Lanes['x']): Html {
  return html`<svg class="strip lane low" viewBox="0 0 ${WIDTH} ${TRACK}" preserveAspectRatio="none" aria-hidden="true"><path class="graticule" d="M0 ${TRACK}H${WIDTH}"/>${track(bins, x, 0)}</svg>`
}

function drawn(paths: Readonly<Record<string, string>>): Html[] {
  return Object.entries(paths)
    .filter(([, path]) => path !== '')
    .map(([kind, path]) => html`<path class="${kind}" d="${path}"/>`)
}

/** The sources that were away, the longest first; a line where none was. */
function feedLanes({ x, reader }: Lanes, { feeds }: MeasuredDay): Html | null {
  const { t } = reader
  const listed = new Set(
    hazardSources(reader.context)
      .filter(({ state }) => state !== 'off')
      .map(({ name }) => name)
  )
  const known = [...feeds].filter(([name]) => listed.has(name))
  const out = known.filter(([, { outages }]) => outages > 0).sort(([, a], [, b]) => b.downMs - a.downMs)
  if (known.length === 0) return null
  if (out.length === 0)
    return html`<li data-key="feeds"><p>${t('Sources that were away: none of {count}.', { count: known.length })}</p></li>`
  const lanes = out.slice(0, MOST_FEEDS).map(([name, thing]) => {
    return html`<li data-key="feed ${name}"><p><b>${name}</b>${away(reader, thing)}</p>${low(thing.bins, x)}</li>`
  })
  const more = out.length - lanes.length
  const rest =
    more > 0
      ? html`<li class="quiet" data-key="more"><a href="/history">${t('{count} more were away', { count: more })}</a></li>`
      : null
  return html`${lanes}${rest}`
}

function away({ t, language }: Reader, thing: MeasuredThing | undefined): Html | null {
  if (thing === undefined || thing.outages === 0) return null
  const long = duration(thing.downMs, language)
  const said =
    thing.outages === 1
      ? t('away once, {duration}', { duration: long })
      : t('away {count} times, {duration} in all', { count: thing.outages, duration: long })
  return html` · <span class="state bad">${said}</span>`
}
