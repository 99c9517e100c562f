import { type Html, html } from './html.ts'
import { STROKES } from './icon-strokes.ts'

export type IconName = keyof typeof STROKES

export const ICON_NAMES = Object.keys(STROKES) as IconName[]

/** One sprite a page: what is drawn on it refers to its symbols, in markup of the server and of scripts alike. */
export function sprite(): Html {
  return SPRITE
}

const SPRITE = html`<svg class="sprite" width="0" height="0" aria-hidden="true">${Object.entries(STROKES).map(
  ([name, strokes]) => html`<symbol id="icon-${name}" viewBox="0 0 24 24"><path d="${strokes}"/></symbol>`
)}</svg>`

/** A picture beside a word, small even where the sheet does not come; nobody needs to hear it. It is no link: whoever reads the links of a page finds none here. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" width="22" height="22" aria-hidden="true"><use href='#icon-${name}'/></svg>`
}
