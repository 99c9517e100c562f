/** The line every Volcano Observatory Notice for Aviation begins with. */
export const VONA_HEAD = /VOLCANO OBSERVATORY NOTICE FOR AVIATION/i

/** True for a text, or a page, that holds a notice. */
export function isVona(text: string): boolean {
  return VONA_HEAD.test(text)
}
