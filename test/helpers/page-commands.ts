/** The commands that a page of the documentation asks people to type. */

export interface PageCommand {
  /** Counts from 1. */
  line: number
  /** As it is typed: without a comment, and on one line where the page breaks it. */
  text: string
}

/** A code span that begins so is a command, and not a word, a path or a setting. */
const SPAN =
  /^(?:(?:sudo|npm|node|lookout|curl|journalctl|apt|apt-get|systemctl|openssl|cat|timedatectl|ip|nmcli) |(?:\.?\/)\S+\/\S+\.sh\b|install\.sh |lsusb$)/

/** Lines of `sh` blocks, one command each: `&&` at the top takes two apart, a line that ends in a backslash goes on. */
function fenced(markdown: string): PageCommand[] {
  const found: PageCommand[] = []
  let open: string | null = null
  let goesOn = false
  for (const [at, raw] of markdown.split('\n').entries()) {
    const fence = /^ *```(\w*)\s*$/.exec(raw)
    if (fence !== null) {
      open = open === null ? (fence[1] ?? '') : null
      goesOn = false
      continue
    }
    const text = raw.replace(/(?:^|\s{2,})#\s.*$/, '').trim()
    if (open !== 'sh' || text === '') continue
    const last = found.at(-1)
    if (goesOn && last !== undefined) last.text = `${last.text} ${text}`
    else found.push({ line: at + 1, text })
    goesOn = text.endsWith('\\')
    const made = found.at(-1)
    if (goesOn && made !== undefined) made.text = made.text.replace(/\s*\\$/, '')
  }
  return found
}

/** Every command of a page, in its order: of its `sh` blocks and, where `spans` is set, of the code spans of its sentences. */
export function commandsOf(markdown: string, { spans = false } = {}): PageCommand[] {
  const blocks = fenced(markdown).flatMap(({ line, text }) => text.split(' && ').map((one) => ({ line, text: one })))
  if (!spans) return blocks
  const prose = markdown.replace(/^( *)```[\s\S]*?^\1```/gm, (block) => block.replace(/[^\n]/g, ''))
  const inSentences = prose
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => ({ line: at + 1, text })))
    .filter(({ text }) => SPAN.test(text))
  return [...blocks, ...inSentences].sort((a, b) => a.line - b.line)
}

/** The text of the blocks of a language, in the order of the page, without the indentation of a list. */
export function blocksOf(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```/gm)]
    .filter(([, , name]) => name === language)
    .map(([, indent = '', , text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** The rows of the table under a heading, each as its cells. */
export function tableUnder(markdown: string, heading: string): string[][] {
  const [, text = ''] = new RegExp(`^#+ ${heading}\\n([\\s\\S]*?)(?=^#+ |$(?![\\s\\S]))`, 'm').exec(markdown) ?? []
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}
