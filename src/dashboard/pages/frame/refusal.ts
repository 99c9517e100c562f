import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../../platform/errors.ts'
import type { HttpContext } from '../../server/context.ts'
import { authorise, type Identity } from '../../server/identity.ts'
import { problemOf } from '../../server/problem.ts'
import type { Answer, Reply } from '../../server/reply.ts'
import { type Content, html } from './html.ts'
import { page } from './layout.ts'
import { readerOf } from './reader.ts'

interface Asked {
  headers: IncomingHttpHeaders
  identity: Identity
  /** The page that the reader came from: a path of this station. */
  back: string
}

/**
 * A form of the operator that a browser sends by itself: whatever is refused is told on a page, with the status it has in
 * the API and the way back. What is no AppError is a bug and thrown on.
 */
export async function operatorForm(
  context: HttpContext,
  asked: Asked,
  make: () => Answer | Promise<Answer>
): Promise<Answer> {
  try {
    authorise('operator', asked.identity, context.config.current().http)
    return await make()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return refusalPage(context, asked, error)
  }
}

/** A page with the reason of a refusal; `more` follows the reason. */
export function refusalPage(
  context: HttpContext,
  { headers, identity, back }: Asked,
  error: AppError,
  more: Content = null
): Reply {
  const reader = readerOf(context, { headers, identity })
  const { t } = reader
  const { problem, headers: own } = problemOf(error, reader)
  const needsSignIn = problem.status === 401 || problem.status === 403
  const body = html`<p class="banner bad" role="alert">${problem.detail}</p>${more}
<p>${needsSignIn ? html`<a class="button primary" href="/sign-in?back=${encodeURIComponent(back)}">${t('Sign in')}</a> ` : null}<a class="button" href="${back}">${t('Back')}</a></p>`
  const reply = page(context, { title: t('Nothing was changed'), path: back, body, headers, identity })
  return { ...reply, status: problem.status, headers: { ...reply.headers, ...own } }
}

/** On to a page after a form has done its work (RFC 9110 §15.4.4): loading that page again does nothing twice. */
export function seeOther(location: string): Reply {
  return { status: 303, headers: { Location: location, 'Content-Type': 'text/plain; charset=utf-8' }, body: location }
}
