/** One line, single blanks, at most so many characters. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, most)
}
