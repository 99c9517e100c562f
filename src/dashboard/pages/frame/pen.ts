import type { Pen } from '../../../../web/shared/pen.js'
import type { Language } from '../../../model/words/languages.ts'
import type { HttpContext } from '../../server/context.ts'
import { translator } from '../../words/language.ts'
import { type Html, html } from './html.ts'
import { pageTime } from './times.ts'

/** The pen of the server: a page that stands complete without a script, and that its script draws on. */
export function penOf(context: Pick<HttpContext, 'shownConfig'>, language: Language): Pen<Html> {
  const t = translator(language)
  return { html, t, term: t.term, language, moment: (at) => pageTime(context, Date.parse(at), language) }
}
