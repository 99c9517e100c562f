/** The picture of docs/architecture.md: rooms as boxes, imports as arrows, drawn from the table and the source. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './docs-table.ts'
import { filesOf, importsOf, ROOMS, roomOf } from './house.ts'

interface Box {
  name: string
  x: number
  y: number
  width: number
  height: number
}

const WIDTH = 1120
const GAP = 16
const ROW = 42
const HEAD = 30
const HOUSES = ['warning', 'knowledge']

/**
 * The imports between rooms, from every file of the source; settings are read by whoever composes them and tie nothing.
 */
function arrowsOf(src: string, of: (file: string) => string | null): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>()
  for (const file of filesOf(src)) {
    const from = of(file)
    if (from === null) continue
    const targets = arrows.get(from) ?? new Set<string>()
    arrows.set(from, targets)
    for (const { target } of importsOf(src, file)) {
      const to = of(target)
      if (to !== null && to !== from && !/settings\.ts$/.test(target)) targets.add(to)
    }
  }
  return arrows
}

/** A room of a house by its file, root files of the house apart. */
function inner(house: string): (file: string) => string | null {
  return (file) => {
    const place = roomOf(file)?.place
    return place?.startsWith(`${house}/`) && !place.endsWith('.ts') ? place : null
  }
}

/** Rooms by floor, the ground first: a room stands above all that it imports. */
function floorsOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const floor = new Map<string, number>()
  const height = (room: string, seen: readonly string[]): number => {
    const known = floor.get(room)
    if (known !== undefined) return known
    const below = [...(arrows.get(room) ?? [])].filter((target) => !seen.includes(target))
    const own = below.length === 0 ? 0 : 1 + Math.max(...below.map((target) => height(target, [...seen, room])))
    floor.set(room, own)
    return own
  }
  const rooms = [...arrows.keys()].sort()
  for (const room of rooms) height(room, [])
  const count = Math.max(...floor.values()) + 1
  return Array.from({ length: count }, (_, index) => rooms.filter((room) => floor.get(room) === index))
}

function rowOf(names: readonly string[], { x, y, width }: { x: number; y: number; width: number }): Box[] {
  const each = (width - GAP * (names.length - 1)) / names.length
  return names.map((name, index) => ({ name, x: x + index * (each + GAP), y, width: each, height: ROW - 10 }))
}

function houseBoxes(floors: readonly string[][], place: { x: number; y: number; width: number }): Box[] {
  return [...floors]
    .reverse()
    .flatMap((names, index) =>
      rowOf(names, { x: place.x + GAP, y: place.y + HEAD + index * (ROW + GAP), width: place.width - 2 * GAP })
    )
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function drawn({ name, x, y, width, height }: Box, style: 'room' | 'house'): string {
  const label = name.split('/').at(-1) ?? name
  const at =
    style === 'house'
      ? { x: x + 12, y: y + 20, anchor: 'start' }
      : { x: x + width / 2, y: y + height / 2 + 5, anchor: 'middle' }
  return `<rect class="${style}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}" rx="6"/><text class="${style}" x="${at.x.toFixed(1)}" y="${at.y.toFixed(1)}" text-anchor="${at.anchor}">${escaped(label)}</text>`
}

function line(from: Box, to: Box): string {
  const down = to.y > from.y
  const [x1, y1] = [from.x + from.width / 2, down ? from.y + from.height : from.y]
  const [x2, y2] = [to.x + to.width / 2, down ? to.y - 3 : to.y + to.height + 3]
  const middle = (y1 + y2) / 2
  return `<path class="${down ? 'down' : 'up'}" d="M${x1.toFixed(1)} ${y1}C${x1.toFixed(1)} ${middle} ${x2.toFixed(1)} ${middle} ${x2.toFixed(1)} ${y2}" marker-end="url(#tip)"/>`
}

const STYLE = `text{font:14px system-ui,sans-serif;fill:#1c2733}text.house{font-weight:600}rect.room{fill:#fff;stroke:#5b7083}rect.house{fill:#eef3f7;stroke:#2f4454}path{fill:none;stroke:#8fa3b3}path.up{stroke:#c2410c}marker path{fill:#8fa3b3;stroke:none}@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect.room{fill:#1c2733;stroke:#8fa3b3}rect.house{fill:#111922;stroke:#8fa3b3}}`

/** The house as an SVG: what stands higher imports what stands lower. */
export function architecturePicture(root: string): string {
  const src = join(root, 'src')
  const houses = HOUSES.map((name) => ({ name, arrows: arrowsOf(src, inner(name)) }))
  const floors = houses.map(({ arrows }) => floorsOf(arrows))
  const tops = rowOf(['main.ts'], { x: WIDTH / 2 - 80, y: 10, width: 160 })
  const wiring = rowOf(['station'], { x: WIDTH / 2 - 200, y: 66, width: 400 })
  const verbs = rowOf(['cli'], { x: WIDTH / 2 - 120, y: 122, width: 240 })
  const dashboard: Box = { name: 'dashboard', x: GAP, y: 178, width: WIDTH - 2 * GAP, height: HEAD + ROW + 4 }
  const parts = rowOf(['pages', 'api', 'editing', 'server', 'words'], {
    x: dashboard.x + GAP,
    y: dashboard.y + HEAD,
    width: dashboard.width - 2 * GAP
  })
  const settings = rowOf(['settings'], { x: WIDTH / 2 - 120, y: 276, width: 240 })
  const storeys = Math.max(...floors.map((rows) => rows.length))
  const y = 336
  const height = HEAD + storeys * (ROW + GAP) - GAP + 8
  const widths = [WIDTH * 0.55, WIDTH * 0.45 - GAP]
  const house = houses.map(
    ({ name }, index): Box => ({
      name,
      x: index === 0 ? GAP : GAP * 1.5 + (widths[0] ?? 0),
      y,
      width: (widths[index] ?? 0) - GAP * (index + 1),
      height
    })
  )
  const rooms = house.map((box, index) => {
    const own = floors[index] ?? []
    return houseBoxes(own, { ...box, y: y + (storeys - own.length) * (ROW + GAP) })
  })
  const ground = rowOf(['model', 'platform'], { x: GAP, y: y + height + 28, width: WIDTH - 2 * GAP })
  const big = [...tops, ...wiring, ...verbs, dashboard, ...settings, ...house]
  const top = arrowsOf(src, (file) => file.split('/')[0] ?? null)
  const between = big.flatMap((from) =>
    big.filter((to) => top.get(from.name)?.has(to.name)).map((to) => line(from, to))
  )
  const inside = houses.flatMap(({ arrows }, index) =>
    (rooms[index] ?? []).flatMap((from) =>
      (rooms[index] ?? []).filter((to) => arrows.get(from.name)?.has(to.name)).map((to) => line(from, to))
    )
  )
  const total = y + height + 28 + ROW + 10
  const boxes = [...tops, ...wiring, ...verbs, ...parts, ...settings, ...rooms.flat(), ...ground]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${total}" role="img" aria-label="Rooms of src and what they import"><style>${STYLE}</style><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${[dashboard, ...house].map((box) => drawn(box, 'house')).join('\n')}
${between.join('\n')}
${inside.join('\n')}
${boxes.map((box) => drawn(box, 'room')).join('\n')}
</svg>
`
}

/** docs/architecture.md with its table as the rooms are now; the rest of the page is written by hand. */
export function architecturePage(root: string): string {
  const rows = [...ROOMS]
    .reverse()
    .map(({ place, holds, may }) => [`\`${place}\``, holds, may.map((one) => `\`${one}\``).join(', ') || '—'])
  const rooms = table(['Room', 'Holds', 'May import, beside `model` and `platform`'], rows)
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  return page.replace(
    /(<!-- rooms -->\n)[\s\S]*(<!-- \/rooms -->)/,
    (_, before, after) => `${before}\n${rooms}\n${after}`
  )
}
