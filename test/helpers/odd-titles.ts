import type { Test } from 'tap'
import { station } from '../dashboard/harness.ts'
import { knowledgeSetup, newDocument } from './knowledge.ts'
import { HASHES, item, knowledgeContext, seedLibrary } from './knowledge-pages.ts'

/**
 * The pieces that a title is drawn from: signs that divide sentences, words of our own sentences, other scripts,
 * markup, no blanks at all.
 */
const PIECES = [
  ...['x: y; ', 'A. B: c; ', 'it: is; so. So: ', ': ', '; ', '. ', '“', '”', '{title}', '{1}', '$& ', '\\', '%', '_'],
  ...['the PDF is damaged', ' has only ', 'waits for ', 'Probably a copy of “', 'exit code 1', 'reading 3 pages'],
  ...[
    '<b>',
    '&amp;',
    '"',
    "'",
    '`${',
    '\u202e',
    '\u0000',
    '\u00e4\u00f6',
    '汉字',
    '🚰',
    'a'.repeat(120),
    ' '.repeat(40)
  ]
]
/** The one that froze a page: each of its borders was looked at in every combination. */
export const WORST = 'x: y; '.repeat(16)

/** Park and Miller's generator: the same titles on every machine. */
export function oddTitles(count: number, seed: number): string[] {
  let state = (seed % 2_147_483_646) + 1
  const below = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  const title = (): string => Array.from({ length: 1 + below(40) }, () => PIECES[below(PIECES.length)] ?? '').join('')
  return [WORST, ...Array.from({ length: count - 1 }, title)]
}

export interface Cost {
  path: string
  title: string
  ms: number
}

/** Milliseconds of the processor, client included; the least of some tries, as others use this machine too. */
async function costOf(work: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 5 && least > enough; time++) {
    const begun = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/**
 * Gives the documents, uploads and jobs of a library these titles, a batch at a time, and asks for every page that shows titles in
 * every language. Answers what a plain page costs here, and the dearest answers.
 */
export async function costOfTitles(
  t: Test,
  titles: readonly string[]
): Promise<{ plain: number; dearest: Cost[]; asked: number }> {
  const setup = await knowledgeSetup(t)
  const ids = seedLibrary(setup)
  const s = await station(t, { context: { knowledge: knowledgeContext(t, setup) } })
  const { catalogue } = setup
  const held = catalogue.add(newDocument('9', { kind: 'web', title: 'odd', url: 'https://example.org/' }))
  catalogue.replaceItems(held, 0, 'extract', [item(1)])
  const shown = [...Object.values(ids).filter((id) => id > 0), held]
  const ask = (path: string, language: string) => s.ask({ path, headers: { cookie: `lang=${language}` } })
  for (let warm = 0; warm < 5; warm++) await ask('/profile', 'de')
  let plain = Number.POSITIVE_INFINITY
  for (let time = 0; time < 12; time++) plain = Math.min(plain, await costOf(() => ask('/profile', 'de'), 0))
  const dearest: Cost[] = []
  let asked = 0
  for (let at = 0; at < titles.length; at += shown.length) {
    const batch = titles.slice(at, at + shown.length)
    for (const [index, id] of shown.entries()) {
      const title = batch[index] ?? WORST
      catalogue.update(id, { title, author: title.slice(0, 200), filename: `${title.slice(0, 200)}.pdf` })
    }
    const paths = [
      ...['/catalogue', '/knowledge', '/knowledge/review', '/knowledge/upload', '/api/documents', '/api/knowledge'],
      // By characters: a cut through one of two units is no address.
      `/catalogue?q=${encodeURIComponent([...(batch[0] ?? '')].slice(0, 100).join(''))}`,
      ...[HASHES.complete, HASHES.failed, HASHES.copy, HASHES.held].map((hash) => `/documents/${hash}`)
    ]
    for (const path of paths)
      for (const language of ['en', 'de']) {
        asked++
        const ms = await costOf(() => ask(path, language), 3 * plain)
        dearest.push({ path, title: batch[0] ?? '', ms })
        dearest.sort((a, b) => b.ms - a.ms)
        dearest.length = Math.min(dearest.length, 5)
      }
  }
  return { plain, dearest, asked }
}
