/** A piece of a document on its way into a PDF; the order of the blocks is the order of reading. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'item'; depth: number; marker: string; text: string }
  | { kind: 'preformatted'; text: string }
  | { kind: 'row'; cells: string[]; header: boolean }
  | { kind: 'picture'; source: string; description: string }
  | { kind: 'new-page' }

/** The facts that a reader found out about the whole document. */
export interface BookFacts {
  title: string
  author: string
  /** The year it was published in; empty when the book does not say. */
  year?: string
}

/** The subject of a PDF made of a book that says when it was published. */
export const publishedIn = (year: string): string => `Published ${year}`

/** Signs which no reader sees: soft hyphen, joiners, byte order mark, direction marks, controls; and halves of characters. */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}]|[^\P{Cc}\n\t]/gu

/** Text as it is laid out: composed characters (NFC), no invisible signs, line ends as \n. */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?|\f|\v/g, '\n')
    .replace(INVISIBLE, '')
    .normalize('NFC')
}

/** Text on one line: every run of blanks is one space. */
export function flowText(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim()
}

/** The amount of text: characters that are not blank. Conversion keeps at least 90 % of them. */
export function textLength(text: string): number {
  let length = 0
  for (const part of text.split(/\s+/)) length += part.length
  return length
}
