import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { anchorOf, drawMarkdown } from '../../src/dashboard/pages/handbook/markdown.ts'
import { FROM_AFAR, station } from './harness.ts'

/** The handbook that the station itself shows, to guests too and without any network. */

const CHAPTERS = ['quick-start', 'wiring', 'radios', 'matrix', 'commands', 'troubleshooting']
const MOST_BYTES = 60_000

t.test('a guest reads every chapter, each is found from the contents, and none is heavy', async (t) => {
  const { ask } = await station(t)
  const contents = (await ask({ path: '/docs', headers: FROM_AFAR })).text
  for (const name of CHAPTERS) {
    t.match(contents, `href="/docs/${name}"`)
    const { status, text } = await ask({ path: `/docs/${name}`, headers: FROM_AFAR })
    t.equal(status, 200)
    t.ok(Buffer.byteLength(text) < MOST_BYTES, `${name}: ${Buffer.byteLength(text)} bytes`)
    t.notMatch(text, /(?:src|href)="https?:\/\//, `${name} needs nothing from elsewhere`)
    t.notMatch(
      text.replaceAll(/<code>[^<]*<\/code>/g, ''),
      /\]\(|\*\*|```/,
      `${name}: nothing of Markdown is left over`
    )
  }
  t.match(contents, 'href="/field-card"')
  t.match((await ask('/')).text, 'href="/docs"')
})

t.test('every link of a chapter leads to a page that is there', async (t) => {
  const { ask } = await station(t)
  for (const name of CHAPTERS) {
    const { text } = await ask(`/docs/${name}`)
    const prose = /<div lang="en" class="prose">([\s\S]*?)<\/main>/.exec(text)?.[1] ?? ''
    for (const [, path = ''] of prose.matchAll(/href="(\/[^"]*)"/g)) t.equal((await ask(path)).status, 200, path)
  }
})

t.test('whoever reads German gets every chapter in German', async (t) => {
  const { ask } = await station(t)
  const headers = { 'accept-language': 'de' }
  const { text } = await ask({ path: '/docs/wiring', headers })
  t.match(text, /<div lang="de" class="prose">[\s\S]*Zuerst die Antenne anschrauben/)
  t.notMatch(text, 'auf Englisch')
  t.match((await ask('/docs/wiring')).text, /<div lang="en" class="prose">[\s\S]*Screw on the antenna first/)
  t.match(
    (await ask({ path: '/docs/commands', headers })).text,
    /<div lang="de" class="prose">[\s\S]*Wer in Reichweite ist/
  )
  const radios = (await ask({ path: '/docs/radios', headers })).text
  t.match(radios, /<div lang="de" class="prose">[\s\S]*Ein Funkgerät je Netz[\s\S]*href="\/docs\/commands"/)
  const { text: contents } = await ask({ path: '/docs', headers })
  t.match(contents, /<a href="\/docs\/radios">Die Funkgeräte<\/a><\/li>/)
})

/** The shape of a page, and whatever somebody types, opens or looks for on a label: the same in every language. */
const shapeOf = (text: string) => ({
  shape: [...text.matchAll(/^(#+ |\d+\. |- |\|)/gm)].map(([, mark]) => mark),
  columns: [...text.matchAll(/^\|.*$/gm)].map(([row]) => row.split('|').length),
  codes: [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code).sort(),
  links: [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target).sort()
})

t.test('both languages have the same headings, steps, rows, commands, files and links', (t) => {
  const folder = join(import.meta.dirname, '../../docs/handbook')
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  t.same(readdirSync(join(folder, 'de')).sort(), [...names, 'commands.md', 'radios.md'].sort())
  t.ok(names.length >= 4)
  for (const name of names) {
    const [english, german] = [join(folder, name), join(folder, 'de', name)].map((file) => readFileSync(file, 'utf8'))
    t.same(shapeOf(german ?? ''), shapeOf(english ?? ''), name)
    t.same(untranslated(german ?? '', english ?? ''), [], `${name}: lines that are not translated`)
  }
  t.end()
})

/** Lines of prose that were left as they are in English. */
function untranslated(german: string, english: string): string[] {
  const prose = (text: string): string[] =>
    text
      .replaceAll(/```[\s\S]*?```/g, '')
      .split(/\n/)
      .filter((line) => line.length > 40)
  return prose(german).filter((line) => prose(english).includes(line))
}

t.test('the pages of commands and radios have the same headings, rows, commands and settings in German', (t) => {
  const docs = join(import.meta.dirname, '../../docs')
  const partsOf = (text: string) => {
    const { shape, columns, codes, links } = shapeOf(text.replaceAll(/```[\s\S]*?```/g, ''))
    // Words that a person puts into a command are German there, and so is what the station answers.
    const kept = codes.map((code = '') => /^![a-z]+|^[a-z][\w.[\]]*(?:: \w+)?$|^"\w+": .+$/.exec(code)?.[0] ?? '')
    return { shape, columns, kept: [...new Set(kept)].sort(), links: links.length }
  }
  for (const name of ['commands.md', 'radios.md']) {
    const [english, german] = [name, `handbook/de/${name}`].map((file) => readFileSync(join(docs, file), 'utf8'))
    t.same(partsOf(german ?? ''), partsOf(english ?? ''), name)
    t.same(untranslated(german ?? '', english ?? ''), [], `${name}: lines that are not translated`)
  }
  t.end()
})

t.test('a link within the handbook leads to a heading that is there', (t) => {
  const docs = join(import.meta.dirname, '../../docs')
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!decisions).*\.md$/.test(name)
  )
  const textOf = (name: string): string => readFileSync(join(docs, name), 'utf8')
  const anchors = new Map(
    files.map((name) => [name, [...textOf(name).matchAll(/^#{1,4} (.+)$/gm)].map(([, text = '']) => anchorOf(text))])
  )
  const dead = files.flatMap((name) =>
    [...textOf(name).matchAll(/\]\(((?!https?:)[^)#\s]*)#([^)\s]+)\)/g)].flatMap(([, file = '', anchor = '']) => {
      const at = file === '' ? name : join(dirname(name), file)
      return anchors.get(at)?.includes(anchor) === true ? [] : [`${name}: ${file}#${anchor}`]
    })
  )
  t.same(dead, [])
  t.equal(anchorOf('Who may: `commands.who` & more'), 'who-may-commandswho--more')
  t.match(String(drawMarkdown('## Who may', () => null)), '<h2 id="who-may">Who may</h2>')
  t.end()
})

t.test('Markdown is drawn, and nothing in it becomes markup of its own', (t) => {
  const draw = (text: string): string => String(drawMarkdown(text, (target) => (target === 'a.md' ? '/docs/a' : null)))
  t.match(draw('one\ntwo **bold *in* it** `<b>`'), '<p>one two <b>bold <i>in</i> it</b> <code>&lt;b&gt;</code></p>')
  t.match(draw('<script>alert(1)</script>'), '&lt;script&gt;')
  t.match(draw('[x](a.md) [y](b.md) [z](javascript:alert)'), '<a href="/docs/a">x</a> y z')
  t.match(
    draw('| A | B |\n| --- | --- |\n| `a|b` | c |'),
    /<th scope="col">A<\/th>.*<td data-head="A"><code>a\|b<\/code><\/td><td data-head="B">c<\/td>/s
  )
  t.match(
    draw('1. one\n\n   ```json\n   {}\n   ```\n\n2. two'),
    /<ol><li>.*<pre tabindex="0"><code>\{\}<\/code><\/pre>.*<li>two<\/li>/s
  )
  t.match(draw('- a\n  b\n- c\n\nafter'), /<ul><li>a b<\/li>\s*<li>c<\/li>\s*<\/ul>\s*<p>after<\/p>/)
  t.end()
})
