// The ground under the map that the server draws: the operator's base map, where there is one. It lies on a canvas of the page that has
// its size from the beginning, so that nothing moves when it comes.
import { coloursOf } from './frame.js'
import { Labels } from './labels.js'
import { openTiles } from './tiles.js'
import { boxOf, View } from './view.js'

const NAME_SIZE = 11

/** Draws the ground under the map of the page, and again whenever that map, the window or the theme changes. */
export function drawUnderlay() {
  const content = document.getElementById('content')
  if (content === null) return
  let due = 0
  const redraw = () => {
    if (due !== 0) return
    due = requestAnimationFrame(() => {
      due = 0
      draw(tiles)
    })
  }
  const tiles = openTiles({ redraw, credit: write, fail: write })
  new MutationObserver(redraw).observe(content, { childList: true, subtree: true, attributeFilter: ['data-box'] })
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
  new ResizeObserver(redraw).observe(content)
}

/** The credit of a map, or why it cannot be shown; the first word stays. @param {string} text */
function write(text) {
  const place = document.querySelector('.stage > .credit')
  if (place !== null && place.textContent === '') place.textContent = text
}

/** @param {import('./tiles.js').Tiles} tiles */
function draw(tiles) {
  const { kind } = tiles
  const stage = document.querySelector('.stage[data-box]')
  const canvas = stage?.querySelector('canvas') ?? null
  const pen = canvas?.getContext('2d') ?? null
  if (kind === null || canvas === null || pen === null || !(stage instanceof HTMLElement)) return
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  if (width === 0) return
  const ratio = Math.min(2, devicePixelRatio || 1)
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  canvas.dataset['kind'] = kind
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  const view = new View()
  view.resize(width, height)
  view.match(boxOf((stage.dataset['box'] ?? '').split(',').map(Number)))
  const colours = coloursOf(stage)
  const names = tiles.draw(pen, view, colours) ?? []
  const labels = new Labels(pen, view, colours, written(stage))
  for (const { text, x, y } of names) labels.draw([{ text, x, y, span: 1 }], { size: NAME_SIZE, from: 0 })
}

/** Where the picture above has words: no name of the ground lies under one. @param {HTMLElement} stage @returns {import('./labels.js').Box[]} */
function written(stage) {
  const { left, top } = stage.getBoundingClientRect()
  return [...stage.querySelectorAll('svg text')].map((text) => {
    const box = text.getBoundingClientRect()
    return [box.left - left, box.top - top, box.right - left, box.bottom - top]
  })
}
