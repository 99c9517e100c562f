import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { station } from './harness.ts'

const root = join(import.meta.dirname, '..', '..')
const style = readFileSync(join(root, 'web/style.css'), 'utf8')
const COLOURS = [
  'ground',
  'raised',
  'text',
  'quiet',
  'line',
  'edge',
  'link',
  'bad',
  'bad-ground',
  'note-ground',
  'note',
  'good'
]

/** The tokens that a block of the sheet sets. */
function tokensOf(selector: string): string[] {
  const from = style.indexOf(`${selector} {`)
  const block = from < 0 ? '' : style.slice(from, style.indexOf('}', from))
  return [...block.matchAll(/--([a-z-]+\d?):/g)].map(([, name = '']) => name)
}

t.test('each theme sets colours that the sheet knows, and the dark ones all of them', async (t) => {
  const known = tokensOf(':root')
  t.same(
    COLOURS.filter((name) => !known.includes(name)),
    []
  )
  for (const theme of ['dark', 'night']) {
    const own = tokensOf(`:root[data-theme="${theme}"]`)
    t.same(
      COLOURS.filter((name) => !own.includes(name)),
      [],
      theme
    )
  }
})

t.test('only the head of the sheet names a colour', async (t) => {
  const rest = style.slice(style.indexOf('* {\n  box-sizing'), style.indexOf('@media print'))
  t.same(rest.match(/#[0-9a-f]{3,8}\b(?=;)|\brgb\(/g) ?? [], [])
})

/** Every sheet that a page can have; what a sheet of paper sets in points and millimetres is of the paper. */
const sheets = new Map(
  [join(root, 'web'), join(root, 'src/dashboard/pages')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.css'))
      .map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')])
  )
)

t.test('distances, sizes of type and corners are named by tokens in every sheet', async (t) => {
  t.ok(sheets.size > 12)
  for (const [name, rules] of sheets) {
    const own = [...rules.matchAll(/^ +(padding|margin|gap|font-size|border-radius)[a-z-]*: ([^;]+);/gm)]
    const wild = own.filter(([, what, value = '']) =>
      what === 'padding' || what === 'margin' || what === 'gap'
        ? [...value.matchAll(/(?<![\w.])(\d*\.?\d+)rem/g)].some(([, rem]) => Number(rem) < 4)
        : /\d(?:rem|px)/.test(value) && !/^(?:14|27)px$/.test(value)
    )
    t.same(
      wild.map(([line]) => line.trim()),
      [],
      name
    )
  }
})

t.test('stepper, toast, skeleton and dialog are styled once, and drawn by one function each', async (t) => {
  for (const part of ['stepper', 'toast', 'skeleton', 'dialog', 'sparkline'])
    t.equal([...sheets.values()].filter((rules) => new RegExp(`^\\.${part} \\{`, 'm').test(rules)).length, 1, part)
  const drawn = [join(root, 'web'), join(root, 'src/dashboard')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:js|ts)$/.test(name) && !name.startsWith('vendor'))
      .filter((name) =>
        /<dialog|showModal\(|class="(?:toast|skeleton|stepper|sparkline)\b/.test(
          readFileSync(join(folder, name), 'utf8')
        )
      )
  )
  t.same(drawn.sort(), ['lib/dialog.js', 'shared/parts.js'])
})

t.test('a state of a step has no other look elsewhere', async (t) => {
  for (const state of ['done', 'now', 'next', 'left', 'stopped'])
    t.notMatch(style, new RegExp(`^\\s*\\.${state}\\b`, 'm'), state)
})

t.test('the line of a thread keeps its look: that of a folded list is for summaries alone', async (t) => {
  t.match(style, /^:where\(summary\)\.line > \* \{/m)
  t.notMatch(style, /^\s*\.line\b/m)
})

t.test('emphasis in a table is no alarm: only what a cell of the matrix warns of is red', async (t) => {
  const red = [...style.matchAll(/^ *([^{}\n]*\bem\b[^{}\n]*) \{[^}]*--bad/gm)].map(([, selector]) => selector)
  t.same(red, ['.matrix td em'])
})

t.test('the filled dot stands for what is proven: no other state has it', async (t) => {
  for (const [tone, shape] of [
    ['bad', '✕'],
    ['waiting', '◌'],
    ['off', '–']
  ] as const)
    t.match(style, new RegExp(`\\.state\\.${tone} \\{\\s*--shape: "${shape}\\\\a0"`), tone)
})

t.test('every token that the page on design names is set, and every part is drawn', async (t) => {
  const words = readFileSync(join(root, 'docs/design.md'), 'utf8')
  const named = [...words.matchAll(/`--([a-z]+(?:-\d)?)`/g)].map(([, name = '']) => name)
  t.ok(named.length > 12)
  t.same(
    named.filter((name) => !tokensOf(':root').includes(name)),
    []
  )
  const { ask } = await station(t)
  const { status, text } = await ask('/docs/design')
  t.equal(status, 200)
  for (const part of [
    ...['Colour', 'Space', 'Type', 'Severity', 'State', 'Chip', 'Control', 'Card'],
    ...['Table', 'Sparkline', 'Stepper', 'Toast', 'Skeleton', 'Dialog', 'Icon']
  ])
    t.match(text, new RegExp(`<h2 id="${part.toLowerCase()}">${part}</h2>`))
  const icons = [...text.matchAll(/<symbol id="(icon-[a-z]+)"/g)].map(([, id]) => id)
  for (const id of icons) t.match(text, `href='#${id}'`)
})

t.test('no page has a style for what the menus are made of: they look alike everywhere', async (t) => {
  const { ask } = await station(t)
  const { text } = await ask('/docs/design')
  const menus = text.slice(text.indexOf('class="menus"'), text.indexOf('<main'))
  const classes = new Set([...menus.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')))
  t.ok(classes.has('menu-item'))
  const pages = join(root, 'src/dashboard/pages')
  for (const name of readdirSync(pages)) {
    if (!readdirSync(join(pages, name)).includes('style.css')) continue
    const rules = readFileSync(join(pages, name, 'style.css'), 'utf8')
    const own = [...rules.matchAll(/^\s*\.([a-z-]+)(?=[ ,{:>])/gm)].map(([, found = '']) => found)
    t.same(
      own.filter((found) => classes.has(found)),
      [],
      name
    )
  }
})
