/** Pages that are read together. */
export interface PageRange {
  /** From 0. */
  number: number
  firstPage: number
  lastPage: number
}

/** The pages of a document, `size` at a time, in order: every page is in one window. Page numbers may have gaps. */
export function windowsOf<Numbered extends { number: number }>(
  pages: readonly Numbered[],
  size: number
): (PageRange & { pages: Numbered[] })[] {
  const windows: (PageRange & { pages: Numbered[] })[] = []
  for (let at = 0; at < pages.length; at += size) {
    const group = pages.slice(at, at + size)
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) break
    windows.push({ number: windows.length, firstPage: first.number, lastPage: last.number, pages: group })
  }
  return windows
}
