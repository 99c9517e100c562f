import t from 'tap'
import { productFiles, productsIn, told } from './written.ts'

/** The same products as another office, another year or a bad line would send them: their texts stay sensible. */

const CODES = /^(?:#|[A-Z]{4}\d{2} |[A-Z0-9]{6}$|[A-Z]{2}[CZ]\d{3}|\/[OTEX]\.|\/\d|LAT\.\.\.LON|TIME\.\.\.MOT|\$\$|&&)/

const lines = (product: string, change: (line: string) => string): string =>
  product
    .split('\n')
    .map((line) => (CODES.test(line) ? line : change(line)))
    .join('\n')

/** Paragraphs wrapped anew at `width`, but for codes, lists of names and what is indented. */
function wrapped(product: string, width: number): string {
  const blocks = product.split(/\n\n/).map((block) => {
    const rows = block.split('\n')
    if (rows.length < 2 || rows.some((row) => CODES.test(row) || /^\s|-$|^\w.*\d{4}$/.test(row))) return block
    const told: string[] = ['']
    for (const word of rows.join(' ').split(/\s+/)) {
      const last = told.at(-1) ?? ''
      if (last !== '' && last.length + word.length >= width) told.push(word)
      else told[told.length - 1] = last === '' ? word : `${last} ${word}`
    }
    return told.join('\n')
  })
  return blocks.join('\n\n')
}

const MUTATIONS: Record<string, (product: string) => string> = {
  'all in capitals': (product) => lines(product, (line) => line.toUpperCase()),
  'wrapped at 50 columns': (product) => wrapped(product, 50),
  'wrapped at 90 columns': (product) => wrapped(product, 90),
  'with blanks at the ends of lines': (product) => lines(product, (line) => `${line}  `),
  'with carriage returns': (product) => product.replaceAll('\n', '\r\n'),
  'without its instructions': (product) =>
    product.replace(/^[* ]*PRECAUTIONARY ?\/ ?PREPAREDNESS ACTIONS\.\.\.[\s\S]*?(?=&&|\$\$)/gm, ''),
  'without its impacts': (product) => product.replace(/^[* ]*IMPACTS?\.\.\.[\s\S]*?(?=\n\s*\n)/gm, ''),
  'without its headline': (product) => product.replace(/^\.\.\.[\s\S]*?\.\.\.$/gm, ''),
  'with other numbers': (product) =>
    lines(product, (line) => (/\d{4}$/.test(line) ? line : line.replace(/\b[2-9]\b/g, '7'))),
  'as a correction': (product) => product.replace(/^([A-Z]{4}\d{2} [A-Z]{4} \d{6})$/m, '$1 CCA')
}

const RAW =
  /\b[A-Z]{2}[CZ]\d{3}\b|\/[OTEX]\.|\bNWS:|&(?:#\d+|[a-z]+);|https?:|\bwww\.|<[a-z]|\bUFN\b|\bLAT\.\.\.LON|\$\$/
const DANGLING = /(?:[ ,](?:to|from|of|the|and|with|at|or|including|between|an?))(?:[.,]|$)/i
const TWICE = /\b([a-z]{4,}) \1\b/i
/** Four words in capitals on end behind the head are no head. */
const SHOUTED = /\. (?:[A-Z]{2,} ){3}[A-Z]{2,}/

for (const [name, mutate] of Object.entries(MUTATIONS)) {
  t.test(`texts stay sensible ${name}`, async (t) => {
    for (const file of productFiles()) {
      for (const written of productsIn(file)) {
        if (written.product.trimStart().startsWith('<')) continue
        for (const network of ['mt', 'mc'] as const) {
          const limit = network === 'mt' ? 200 : 155
          const texts = await told({ ...written, product: mutate(written.product) }, network)
          t.equal(texts.length, written.texts.length, `${written.name}: as many messages`)
          for (const [at, text] of texts.entries()) {
            const head = /^(?:[A-Z0-9]{2,} )+/.exec(written.texts[at] ?? '')?.[0].split(' ')[0] ?? ''
            t.ok(Buffer.byteLength(text) <= limit, `${Buffer.byteLength(text)} bytes: ${text}`)
            t.ok(text.startsWith(head), `begins with ${head}: ${text}`)
            for (const bad of [RAW, DANGLING, TWICE, SHOUTED]) t.notMatch(text, bad, text)
          }
        }
      }
    }
  })
}
