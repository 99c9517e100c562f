import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const src = join(import.meta.dirname, '..', '..', 'src')

/** Where people are told why something waits, failed or was refused, and what goes into such a sentence. */
const FOLDERS = [
  'knowledge/intake',
  'knowledge/enrich',
  'knowledge/jobs',
  'knowledge/catalogue',
  'knowledge/library',
  'knowledge/scrape',
  'knowledge/search',
  'knowledge/keys'
]
const LIB =
  /^platform\/(?:files|net|process)\/(?:atomic-file|fetch\S*|http-open|post|public-address|run|side-process|side-requests)\.ts$/
/** Tables, SQL, prompts and markup; nobody reads them as a reason. */
const OTHER_FILES = new RegExp(
  `^(?:${[
    'knowledge/intake/(?:domain-words|language-model-vote|title-text|vote)',
    'knowledge/intake/convert/(?:box-font|font-coverage|html-text|roles)',
    'knowledge/enrich/(?:detector|keywords|language-codes|llm-prompt)',
    'knowledge/catalogue/(?:document|listing|rows|schema)',
    'knowledge/library/(?:archive-folder|keeper|settings|source-rows|zim-roles)',
    'knowledge/scrape/mirror/(?:html-copy|polite|roles)',
    'knowledge/search/(?:citation|knowledge-rows|lexical|question)',
    'knowledge/keys/providers'
  ].join('|')})\\.ts$`
)
/** What a text is given to when it is for the log, the database or a program. */
const FOR_OTHERS =
  /log\.|sql$|exec$|#(?:run|changed|count|guarded)$|\b(?:has|startsWith|Set|ReadAhead)$|^(?:\w+\.)?(?:addContent|push: .*)$/
const FOR_MACHINES =
  /\b(?:SELECT|WHERE|UPDATE|INSERT|DELETE FROM|CREATE|CASE|PRAGMA)\b|= \?|IS NOT NULL|IN \(|[<\n]|\{\{/
/** Words in such places that no page shows. */
const NOT_SHOWN = new Set([
  'cut off',
  'sudo apt install {}',
  'the client came again',
  'A copy of {}, made by Lookout',
  'A copy of the static pages of {}',
  'gzip, deflate, br',
  // A word of a longer sentence, or one with a row of its own in another form.
  'It was held as a probable copy of',
  'Files of this kind wait: {} {} not installed.',
  'tried again',
  // Who voted for a title: the page has names for them.
  'language model',
  'first page',
  'file date'
])

/** A text of the source, `{}` where a value stands, and what it is given to: `log.warn`, `new AppError`, `reason:`. */
interface Literal {
  text: string
  to: string
}

/** The texts of a TypeScript source. It knows comments, strings, templates and the usual places of regular expressions. */
function literalsOf(source: string): Literal[] {
  const found: Literal[] = []
  const open: string[] = []
  let at = 0
  const given = (start: number): string => {
    const before = source.slice(Math.max(0, start - 200), start)
    const property = /(\w+)(?::|\s=|\sreturn)\s*(?:[^,;:=(){}'"`\n]*\?\s*)?$/.exec(before)?.[1]
    return property === undefined ? (open.at(-1) ?? '') : `${property}: ${open.at(-1) ?? ''}`
  }
  const skipTo = (end: string): void => {
    const stop = source.indexOf(end, at)
    at = stop < 0 ? source.length : stop + end.length
  }
  const escapedAt = (): string => {
    if (source[at] !== '\\') return source[at++] ?? ''
    at += 2
    return source[at - 1] === 'n' ? '\n' : (source[at - 1] ?? '')
  }
  const string = (quote: string): void => {
    const start = at++
    let text = ''
    while (at < source.length && source[at] !== quote) {
      text += escapedAt()
    }
    at++
    found.push({ text, to: given(start) })
  }
  const template = (): void => {
    const start = at++
    let text = ''
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        at += 2
        code('}')
        text += '{}'
        continue
      }
      text += escapedAt()
    }
    at++
    found.push({ text, to: given(start) })
  }
  const regex = (): void => {
    for (let inClass = false; at < source.length; ) {
      const sign = source[++at]
      if (sign === '\\') at++
      else if (sign === '[') inClass = true
      else if (sign === ']') inClass = false
      else if ((sign === '/' && !inClass) || sign === '\n') break
    }
    at++
  }
  const opening = (sign: string): void => {
    const before = source.slice(Math.max(0, at - 80), at)
    open.push(
      sign === '(' ? (/((?:new )?[\w.#?!]+)$/.exec(before.replace(/<[^<>()]*>$/, ''))?.[1] ?? '') : (open.at(-1) ?? '')
    )
  }
  const code = (until: string): void => {
    const depth = open.length
    while (at < source.length) {
      const sign = source[at] ?? ''
      if (sign === until && open.length === depth) break
      if (source.startsWith('//', at)) skipTo('\n')
      else if (source.startsWith('/*', at)) skipTo('*/')
      else if (sign === "'" || sign === '"') string(sign)
      else if (sign === '`') template()
      else if (sign === '/' && /(?:[(,=:[!&|?{};>]|return)\s*$/.test(source.slice(Math.max(0, at - 40), at))) regex()
      else {
        if ('([{'.includes(sign)) opening(sign)
        else if (')]}'.includes(sign)) open.pop()
        at++
      }
    }
    at++
  }
  code('')
  return found
}

/** Every sentence a reason is made from, with the file it stands in. */
export function reasonsInSource(): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(src.length + 1)
    const counts =
      LIB.test(path) || (FOLDERS.includes(path.split('/').slice(0, 2).join('/')) && !OTHER_FILES.test(path))
    if (!entry.isFile() || !path.endsWith('.ts') || !counts) continue
    for (const { text, to } of literalsOf(readFileSync(join(src, path), 'utf8')))
      if (isSentence(text) && !FOR_OTHERS.test(to) && !FOR_MACHINES.test(text)) found.set(text.trim(), path)
  }
  for (const text of NOT_SHOWN) found.delete(text)
  return found
}

/** At least two words. */
function isSentence(text: string): boolean {
  if (!text.trim().includes(' ')) return false
  return (text.replaceAll('{}', ' ').match(/(?<![\w./-])[a-zA-Z][a-z]+(?![\w/])/g) ?? []).length >= 2
}
