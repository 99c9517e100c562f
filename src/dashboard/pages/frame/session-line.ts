import type { HttpContext } from '../../server/context.ts'
import { canWrite, type Identity } from '../../server/identity.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'

/** What the head of every page says: who is signed in, or where to do it. Always a link to `/sign-in`. */
export function sessionLine(
  context: Pick<HttpContext, 'config'>,
  identity: Identity,
  { t, path }: { t: Translate; path: string }
): Html {
  const back = path === '/' || path === '/sign-in' ? '' : `?back=${encodeURIComponent(path)}`
  const link = (text: string) => html`<a class="session" href="/sign-in${back}">${text}</a>`
  if (identity.kind === 'anonymous' || identity.kind === 'refused') return link(t('Sign in'))
  if (identity.kind === 'loopback') return link(t('This machine: operator'))
  if (identity.kind === 'session') return link(t('Signed in: operator'))
  const { name } = identity
  return link(
    canWrite(identity, context.config.current().http)
      ? t('Signed in: {name}', { name })
      : t('Signed in: {name} (reads only)', { name })
  )
}
