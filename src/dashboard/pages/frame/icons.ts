import { type Html, html } from './html.ts'

/** Our own strokes on a square of 24: every one is read at 20 pixels, in one colour, without a fill. */
const STROKES = {
  now: 'M3.5 11 12 4l8.5 7M6 9.5V20h12V9.5M12 20v-5.5',
  warnings: 'M12 4 2.8 19.6h18.4zM12 10v4.6M12 16.9v.2',
  knowledge: 'M12 6.5C10 5 7 4.6 3.5 5v13.5c3.5-.4 6.5 0 8.5 1.5 2-1.5 5-1.9 8.5-1.5V5C17 4.6 14 5 12 6.5zM12 6.5V20',
  station:
    'M12 13v8M8.5 21h7M12 13a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M7.8 15.4a6 6 0 0 1 0-8.4M16.2 7a6 6 0 0 1 0 8.4M5 18.2A9.8 9.8 0 0 1 5 4.2M19 4.2a9.8 9.8 0 0 1 0 14',
  messages: 'M4 5h16v11H11l-4.5 3.8V16H4z',
  matrix: 'M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16',
  coverage: 'M3.5 6.5 9 4l6 2.5L20.5 4v13.5L15 20l-6-2.5L3.5 20zM9 4v13.5M15 6.5V20',
  sources: 'M5 19.2v-.4M4.5 12a7.3 7.3 0 0 1 7.3 7.3M4.5 5a14.3 14.3 0 0 1 14.3 14.3',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.3 15.3 20.5 20.5',
  library: 'M5 4v16M9 4v16M13 4h3v16h-3zM18.5 4.6 21 19.6',
  addresses:
    'M12 21c4.3-4.6 6.5-8 6.5-11a6.5 6.5 0 0 0-13 0c0 3 2.2 6.4 6.5 11zM12 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6',
  history: 'M4 4v16h16M7.5 15l3.7-4.5 3 2.5L20 6.5',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M9 19.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4',
  api: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5M13.3 4.5l-2.6 15',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  display: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 3.5v17M15.5 5v14M18.5 7.5v9'
} as const

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
