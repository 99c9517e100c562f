import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { checkPassphrase } from '../../platform/sessions/session-store.ts'
import { type SignInView, signInPage } from '../pages/sign-in/page.ts'
import { backPath } from '../server/back.ts'
import type { HttpsState } from '../server/https-port.ts'
import { canWrite, type Identity, SECURE_SESSION_COOKIE, SESSION_COOKIE, sessionToken } from '../server/identity.ts'
import { type Came, cameByHttps, isInClear } from '../server/in-clear.ts'
import { problemOf } from '../server/problem.ts'
import { jsonSaid, type Reply } from '../server/reply.ts'
import { type Call, form, get, type Handler, type Route, type Told } from '../server/route.ts'
import { SignInLimit } from '../server/sign-in-limit.ts'
import { languageOf } from '../words/language.ts'
import { sessionAnswer } from './answers/station.ts'
import type { Services } from './services.ts'

const field = v.optional(v.pipe(v.string(), v.maxLength(4096)), '')

export const signInForm = looseObject({ code: field, passphrase: field, back: field })
export const signOutForm = looseObject({ back: field })
export const passphraseForm = looseObject({ current: field, passphrase: field })
export const signInQuery = v.object({
  back: v.optional(v.string()),
  done: v.optional(v.string())
})

type Form<Schema extends v.GenericSchema> = Call<unknown, v.InferOutput<Schema>>

/** The longest browsers keep a cookie (RFC 6265bis: 400 days). How long a session lives the station decides. */
const COOKIE_SECONDS = 400 * 86_400

/** The one who is signed in here, whatever the name. */
const OPERATOR = 'operator'
/** In the audit log, whoever is not known. */
const NOBODY = 'guest'

const HOW = {
  idp: 'proxy',
  token: 'token',
  session: 'session',
  loopback: 'loopback',
  refused: 'none',
  anonymous: 'none'
} as const

/** Everything of contract §10 about the operator's own session. The limit on tries is common to all of it. */
export function sessionHandlers({ context }: Services): {
  read: Handler<unknown, undefined, Told<typeof sessionAnswer>>
  page: Handler<v.InferOutput<typeof signInQuery>, undefined>
  signIn: Handler<unknown, v.InferOutput<typeof signInForm>>
  signOut: Handler<unknown, v.InferOutput<typeof signOutForm>>
  changePassphrase: Handler<unknown, v.InferOutput<typeof passphraseForm>>
} {
  const limit = new SignInLimit({ now: () => context.now() })

  const show = async (call: Call<unknown, unknown>, view: Partial<SignInView>, status = 200): Promise<Reply> => {
    const { identity, headers, trustedProxy } = call
    const state = await context.sessions.state()
    const inClear = !trustedProxy && isInClear(call)
    const onCard = state.offered && (await context.claimOnCard())
    const reply = signInPage(context, { identity, headers, trustedProxy, state, onCard, inClear, back: '/', ...view })
    return { ...reply, status }
  }

  /** A try that counts; what goes wrong is told on the page, with the status it has in the API. */
  const attempt = async (
    call: Call<unknown, unknown>,
    view: Partial<SignInView>,
    make: () => Promise<{ token: string; to: string; what: Reason }>
  ): Promise<Reply> => {
    const by = nameShown(call.identity) ?? NOBODY
    try {
      if (call.trustedProxy) throw new AppError('forbidden', because('sign_in_at_provider'))
      const { token, to, what } = await make()
      limit.succeeded(call.peer)
      context.audit?.add({ by: OPERATOR, what })
      return seeOther(to, cookie(token, call))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // Nobody waits for it: a guest who guesses does not wear the card.
      context.audit?.note({ by, what: because('audit_sign_in_refused', { from: call.peer }) })
      const { problem, headers } = problemOf(error, { language: languageOf(call.headers), isGuest: true })
      const reply = await show(call, { ...view, error: problem.detail }, problem.status)
      return { ...reply, headers: { ...reply.headers, ...headers } }
    }
  }

  return {
    read: async ({ identity, trustedProxy, encrypted }) => {
      const { claimed, problem } = await context.sessions.state()
      return jsonSaid({
        identity: nameShown(identity),
        how: HOW[identity.kind],
        can_write: canWrite(identity, context.config.current().http),
        claimed,
        sign_in: trustedProxy ? 'proxy' : claimed ? 'passphrase' : 'claim_code',
        local_operator: context.local.state(context.config.current().http),
        encrypted,
        https: httpsTold(context.https()),
        problem: problem === null ? null : 'session.json cannot be used: run "lookout token claim" on the station.'
      })
    },

    page: (call) =>
      show(call, {
        back: backPath(call.query.back),
        ...(call.query.done === undefined ? {} : { done: true })
      }),

    signIn: (call: Form<typeof signInForm>) => {
      const { code, passphrase } = call.body
      const back = backPath(call.body.back)
      return attempt(call, { back, code }, async () => {
        if (code !== '') checkPassphrase(passphrase)
        const { sessions } = context
        limit.take(call.peer, { known: await sessions.hasSignedInFrom(call.peer) })
        const token = code === '' ? sessions.signIn(passphrase, call.peer) : sessions.claim(code, passphrase, call.peer)
        const what = because(code === '' ? 'audit_signed_in' : 'audit_claimed', { from: call.peer })
        return { token: await token, to: back, what }
      })
    },

    signOut: async (call: Form<typeof signOutForm>) => {
      const { headers, body, identity } = call
      const token = sessionToken(headers.cookie)
      if (token !== null) await context.sessions.signOut(token)
      if (identity.kind === 'session') context.audit?.add({ by: OPERATOR, what: because('audit_signed_out') })
      return seeOther(backPath(body.back), cookie('', call))
    },

    changePassphrase: (call: Form<typeof passphraseForm>) => {
      const { current, passphrase } = call.body
      return attempt(call, {}, async () => {
        checkPassphrase(passphrase)
        limit.take(call.peer, { known: await context.sessions.hasSignedInFrom(call.peer) })
        const token = await context.sessions.changePassphrase(current, passphrase)
        return { token, to: '/sign-in?done=1', what: because('audit_passphrase_changed', { from: call.peer }) }
      })
    }
  }
}

/** As pages and `GET /api/session` call whoever asks; null for nobody known. */
function nameShown(identity: Identity): string | null {
  if (identity.kind === 'idp' || identity.kind === 'token') return identity.name
  return identity.kind === 'session' || identity.kind === 'loopback' ? OPERATOR : null
}

function seeOther(location: string, setCookie: string): Reply {
  const headers = { Location: location, 'Set-Cookie': setCookie, 'Content-Type': 'text/plain; charset=utf-8' }
  return { status: 303, headers, body: location }
}

/** Never sent along by another site, never seen by a script, never over plain HTTP once it came by HTTPS. Without a token it ends the one before. */
function cookie(token: string, came: Came): string {
  const secure = cameByHttps(came)
  const name = secure ? SECURE_SESSION_COOKIE : SESSION_COOKIE
  const seconds = token === '' ? 0 : COOKIE_SECONDS
  return `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure ? '; Secure' : ''}`
}

const WITHOUT_HTTPS = { port: null, fingerprint: null, valid_to: null, names: [], problem: null }

function httpsTold(https: HttpsState) {
  const { state } = https
  if (state === 'failed') return { ...WITHOUT_HTTPS, state, problem: https.reason }
  if (state !== 'on') return { ...WITHOUT_HTTPS, state }
  const { port, certificate, problem } = https
  const { fingerprint, validTo, names } = certificate
  return { state, port, fingerprint, valid_to: new Date(validTo).toISOString(), names: [...names], problem }
}

export function sessionRoutes(services: Services): Route[] {
  const session = sessionHandlers(services)
  return [
    get('/api/session', {
      summary: 'Who asks, and whether it may write.',
      about:
        '`{identity, how, can_write, claimed, sign_in, encrypted, https, problem}`. `encrypted`: this request came by TLS to the station itself; `https` tells where it answers so, and with which certificate. `how` is proxy, token, session, loopback or none; `sign_in` is passphrase, claim_code or proxy. See [operator.md](operator.md#signing-in).',
      answer: sessionAnswer,
      handle: session.read
    }),
    get('/sign-in', {
      about:
        'Who is signed in; forms to claim the station, to sign in and out and to change the passphrase. `POST /sign-in` `{code?, passphrase, back}`, `POST /sign-out` and `POST /sign-in/passphrase` `{current, passphrase}` are what the forms send (`application/x-www-form-urlencoded`; 303, or the page with 401, 422 or 429).',
      query: signInQuery,
      handle: session.page
    }),
    form('/sign-in', { body: signInForm, withoutFolder: true, handle: session.signIn }),
    form('/sign-in/passphrase', { body: passphraseForm, handle: session.changePassphrase }),
    form('/sign-out', { body: signOutForm, withoutFolder: true, handle: session.signOut })
  ]
}
