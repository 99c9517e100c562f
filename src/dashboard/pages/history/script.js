// The values under the pointer or the finger: read back from the lines as they are drawn, so that nothing is sent twice.
import '/static/lib/shell.js'
import { MEASURES } from '/static/shared/measures.js'
import { timeText } from '/static/shared/times.js'

/** Of the drawing, as `frame/chart.ts` makes it. */
const WIDTH = 640
const TOP = 10
const LEFT = 4
const FLOOR = 132
/** Nothing drawn within so many units of the pointer: a gap, and no value. */
const NEAR = 12

/** The corners of a line. @param {Element} line */
function cornersOf(line) {
  const drawn = line.getAttribute('d') ?? ''
  return [...drawn.matchAll(/[ML]([\d.]+) ([\d.-]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
}

/** @typedef {ReturnType<typeof cornersOf>} Corners */
/** @typedef {import('../../../../web/shared/measures.js').Measure} Measure */

/** The moment and the values at that place of the drawing. @param {HTMLElement} figure */
function reading(figure) {
  const { low, high, from, to, format } = figure.dataset
  const measure = MEASURES[/** @type {Measure} */ (format)]
  const [bottom = 0, top = 1, begin = 0, end = 1] = [low, high, from, to].map(Number)
  const names = [...figure.querySelectorAll('tbody th')].map((head) => head.textContent?.trim() ?? '')
  const lines = [...figure.querySelectorAll(':scope > svg .line')].map(cornersOf)
  const { lang, dataset } = document.documentElement
  const station = { zone: dataset['zone'] ?? 'UTC', clock: dataset['clock'] ?? '24h' }
  /** @param {number} x */
  return (x) => {
    const at = begin + ((x - LEFT) / (WIDTH - 2 * LEFT)) * (end - begin)
    const values = lines.flatMap((corners, n) => {
      const nearest = nearestOf(corners, x)
      const value = bottom + ((FLOOR - nearest.y) / (FLOOR - TOP)) * (top - bottom)
      return Math.abs(nearest.x - x) > NEAR ? [] : [`${names[n]} ${measure(value, lang)}`]
    })
    return [timeText(at, station, lang, 'weekday'), ...values].join(' · ')
  }
}

/** @param {Corners} corners @param {number} x */
function nearestOf(corners, x) {
  return corners.reduce((best, one) => (Math.abs(one.x - x) < Math.abs(best.x - x) ? one : best), { x: -WIDTH, y: 0 })
}

/** @param {HTMLElement} figure */
function follow(figure) {
  const svg = figure.querySelector('svg')
  if (svg === null) return
  const read = reading(figure)
  const told = document.createElement('p')
  told.className = 'told'
  svg.after(told)
  const here = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  here.setAttribute('class', 'here')
  svg.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = svg.getBoundingClientRect()
    const x = ((clientX - left) / width) * WIDTH
    here.setAttribute('d', `M${x.toFixed(1)} ${TOP}V${FLOOR}`)
    svg.append(here)
    told.textContent = read(x)
  })
  svg.addEventListener('pointerleave', () => {
    here.remove()
    told.textContent = ''
  })
}

for (const figure of document.querySelectorAll('.chart[data-format]')) follow(/** @type {HTMLElement} */ (figure))
