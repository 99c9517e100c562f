/// <reference lib="dom" />
/**
 * Pictures as they are compared: a quarter of the size, so that a cell is the mean of 4 × 4 pixels and the edges of letters are grey. Cells are
 * told apart by their neighbourhood: what moved by less than a cell, or is smoothed otherwise, is the same; what is missing, covered, recoloured
 * or has moved is not. The browser itself reads and writes the PNGs: no library for it is needed.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'puppeteer-core'

export interface Difference {
  /** Cells that differ; `MOST_CELLS` of them are no fault. */
  cells: number
  /** Where they lie, in pixels of the page: left, top, right, bottom. */
  box: readonly [number, number, number, number] | null
}

/**
 * At the tolerance below a missing icon of the menu differs in 49 cells, a card that moved by six pixels in 66, a page that stands two pixels lower
 * in none, as do letters smoothed otherwise: measured on the page Now, see the last test of `pictures.test.ts`.
 */
export const MOST_CELLS = 12

const CODE = `(() => {
const SIZE = 4, TOLERANCE = 72
const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
const pixels = async (base64) => {
  const bitmap = await createImageBitmap(new Blob([bytes(base64)], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context.drawImage(bitmap, 0, 0)
  return context.getImageData(0, 0, bitmap.width, bitmap.height)
}
const reduced = async (base64) => {
  const { data, width, height } = await pixels(base64)
  const small = new ImageData(Math.floor(width / SIZE), Math.floor(height / SIZE))
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0
        for (let dy = 0; dy < SIZE; dy++)
          for (let dx = 0; dx < SIZE; dx++) sum += data[((y * SIZE + dy) * width + x * SIZE + dx) * 4 + channel]
        small.data[(y * small.width + x) * 4 + channel] = sum / SIZE / SIZE
      }
  const canvas = new OffscreenCanvas(small.width, small.height)
  canvas.getContext('2d').putImageData(small, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  const all = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (const byte of all) text += String.fromCharCode(byte)
  return btoa(text)
}
const outside = (one, other, x, y) => {
  for (let channel = 0; channel < 3; channel++) {
    let low = 255, high = 0
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const [nx, ny] = [Math.min(Math.max(x + dx, 0), other.width - 1), Math.min(Math.max(y + dy, 0), other.height - 1)]
        const value = other.data[(ny * other.width + nx) * 4 + channel]
        low = Math.min(low, value); high = Math.max(high, value)
      }
    const value = one.data[(y * one.width + x) * 4 + channel]
    if (value < low - TOLERANCE || value > high + TOLERANCE) return true
  }
  return false
}
const compare = async (now, before) => {
  const [one, other] = await Promise.all([pixels(now), pixels(before)])
  if (one.width !== other.width || one.height !== other.height) return { cells: one.width * one.height, box: [0, 0, one.width * SIZE, one.height * SIZE] }
  let cells = 0, box = null
  for (let y = 0; y < one.height; y++)
    for (let x = 0; x < one.width; x++) {
      if (!outside(one, other, x, y) && !outside(other, one, x, y)) continue
      cells++
      const [left, top, right, bottom] = box ?? [x, y, x, y]
      box = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]
    }
  return { cells, box: box === null ? null : [box[0] * SIZE, box[1] * SIZE, (box[2] + 1) * SIZE, (box[3] + 1) * SIZE] }
}
return { reduced, compare }
})()`

/** Reads and compares in an empty page of the browser that took the pictures. */
export class Pictures {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** A PNG at a quarter of its size, in base64. */
  reduced(png: string): Promise<string> {
    return this.#page.evaluate(`(${CODE}).reduced(${JSON.stringify(png)})`) as Promise<string>
  }

  /** Both as `reduced` gives them. */
  compare(now: string, before: string): Promise<Difference> {
    const asked = `(${CODE}).compare(${JSON.stringify(now)}, ${JSON.stringify(before)})`
    return this.#page.evaluate(asked) as Promise<Difference>
  }
}

const FONTS = ['DejaVuSans', 'DejaVuSans-Bold'].map((name) =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)
)

/**
 * Text is set in the font of the device, which every machine has another one of: here it is the one that the PDFs are set in. Figures become
 * zeros, which are as wide: seconds and counts that a machine's speed decides are no difference.
 */
export async function steady(page: Page): Promise<void> {
  const [regular, bold] = FONTS.map((path) => readFileSync(path).toString('base64'))
  await page.evaluate(
    async (files) => {
      for (const [weight, base64] of files) {
        const data = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0))
        const face = new FontFace('Steady', data, { weight: weight ?? '400' })
        document.fonts.add(await face.load())
      }
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(
        '*, *::before, *::after { font-family: Steady !important; transition: none !important; animation: none !important; caret-color: transparent !important }'
      )
      document.adoptedStyleSheets.push(sheet)
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walk.nextNode(); node !== null; node = walk.nextNode())
        if (node.parentElement?.localName !== 'script') node.nodeValue = (node.nodeValue ?? '').replace(/\d/g, '0')
      await document.fonts.ready
    },
    [
      ['400', regular],
      ['700', bold]
    ]
  )
}
