#!/usr/bin/env node
/**
 * Writes the strokes of the icons that pages use (`src/dashboard/pages/frame/icon-strokes.ts`) out of Lucide, a set of one hand on a square of 24.
 * Each becomes one path, since the sprite is in every page. Run after a change of the table: `npm run icons`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Our names, by what they stand for, and Lucide's, by what they show. */
const ICONS = {
  now: 'house',
  warnings: 'triangle-alert',
  knowledge: 'book-open',
  station: 'radio-tower',
  messages: 'message-square',
  matrix: 'grid-3x3',
  coverage: 'map',
  sources: 'rss',
  search: 'search',
  library: 'library',
  addresses: 'map-pin',
  history: 'chart-line',
  settings: 'sliders-horizontal',
  backup: 'archive',
  update: 'refresh-cw',
  menu: 'menu',
  display: 'contrast'
} as const

const root = fileURLToPath(new URL('..', import.meta.url))
export const STROKES_FILE = 'src/dashboard/pages/frame/icon-strokes.ts'

/**
 * The file as it should be.
 * @throws Error when the set has no such icon, or draws it by something that is no stroke
 */
export function strokesFile(): string {
  const { icons } = JSON.parse(readFileSync(`${root}node_modules/@iconify-json/lucide/icons.json`, 'utf8')) as {
    icons: Record<string, { body: string } | undefined>
  }
  const rows = Object.entries(ICONS).map(([name, theirs]) => {
    const body = icons[theirs]?.body
    if (body === undefined) throw new Error(`Lucide has no icon ${theirs}: name another for ${name}`)
    return `  ${name}: '${strokesOf(body)}'`
  })
  return `// Written by scripts/icons.ts out of Lucide (ISC, parts of it by Feather, MIT: scripts/licences/lucide.txt).

/** The strokes of the icons on a square of 24. */
export const STROKES = {
${rows.join(',\n')}
} as const
`
}

function strokesOf(body: string): string {
  const parts = [...body.matchAll(/<(path|circle|rect)([^>]*)\/>/g)]
  if (body.replace(/<\/?g[^>]*>/g, '') !== parts.map(([all]) => all).join('')) throw new Error(`no strokes: ${body}`)
  return parts.map(([, kind = '', attributes = '']) => pathOf(kind, attributes)).join('')
}

function pathOf(kind: string, attributes: string): string {
  const text = (name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  const [x, y, width, height, r] = ['x', 'y', 'width', 'height', 'rx'].map((name) => Number(text(name)))
  if (kind === 'path') return text('d').replace(/^m/, 'M')
  if (kind === 'circle') {
    const radius = Number(text('r'))
    return `M${Number(text('cx')) - radius} ${text('cy')}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0-${2 * radius} 0`
  }
  const [wide, high] = [Number(width) - 2 * Number(r), Number(height) - 2 * Number(r)]
  const corner = (to: string): string => `a${r} ${r} 0 0 1 ${to}`
  return `M${Number(x) + Number(r)} ${y}h${wide}${corner(`${r} ${r}`)}v${high}${corner(`-${r} ${r}`)}h-${wide}${corner(`-${r}-${r}`)}v-${high}${corner(`${r}-${r}`)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(`${root}${STROKES_FILE}`, strokesFile())
