import type { IncomingHttpHeaders } from 'node:http'

/** Themes of a page: after the system, by day, by night, in the sun (highest contrast), or for eyes used to the dark (red). */
export const THEMES = ['auto', 'light', 'dark', 'sunlight', 'night'] as const
export type Theme = (typeof THEMES)[number]

/** The choice of the reader, kept in the cookie `theme`; else as the system of the reader is set. */
export function themeOf({ cookie }: IncomingHttpHeaders): Theme {
  const chosen = /(?:^|;\s*)theme=([a-z]+)(?:;|$)/.exec(cookie ?? '')?.[1]
  return THEMES.find((theme) => theme === chosen) ?? 'auto'
}

/** For the browser's own parts (scroll bars, controls) before the style sheet is there. */
export function colorSchemeOf(theme: Theme): string {
  if (theme === 'auto') return 'light dark'
  return theme === 'dark' || theme === 'night' ? 'dark' : 'light'
}
