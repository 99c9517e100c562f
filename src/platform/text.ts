/** One line, single blanks, at most so many characters. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, most)
}

/** Senders of HTML and captions write these for signs of the markup. */
export const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' ']
])
