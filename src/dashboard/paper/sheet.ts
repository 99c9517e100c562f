import * as v from 'valibot'

/**
 * A page that goes on paper: the same markup that its HTML form is made of, and the words that stand around it. It goes to a process of its own
 * (`lookout work print:page`) as JSON.
 */
export const sheetSchema = v.object({
  /** The body of the page, as `pages/frame/html.ts` made it. */
  html: v.string(),
  title: v.string(),
  /** At the head of every page: station, what it is, period, operator. */
  head: v.string(),
  words: v.object({
    /** At the foot of every page, with `{page}` and `{pages}`. */
    page: v.string(),
    /** Where a character is in no font, with `{count}`. */
    unknown: v.string()
  }),
  size: v.picklist(['A4', 'LETTER'])
})

export type Sheet = v.InferOutput<typeof sheetSchema>

/** Countries that print on US Letter (CLDR, `paperSize`); the rest of the world on A4. */
const LETTER = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '))

export function paperSize(country: string): Sheet['size'] {
  return LETTER.has(country) ? 'LETTER' : 'A4'
}
