import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { HttpConfig } from '../settings.ts'
import { isListed, plainAddress } from './addresses.ts'
import { isSameOrigin } from './hosts.ts'
import type { LocalOperator } from './local-operator.ts'
import { HttpError } from './problem.ts'

/** The caller: contract §10. `refused` came with a credential that is not valid, and is nobody else either. */
export type Identity =
  | { kind: 'anonymous' }
  | { kind: 'refused' }
  | { kind: 'loopback' }
  | { kind: 'session' }
  | { kind: 'idp'; name: string }
  | { kind: 'token'; name: string; scope: 'events' | 'operator' }

/**
 * The right that a route asks of its caller. `trial` computes and stores nothing: open like a read, but rate-limited.
 * `form` is for whoever wants to become the operator: open too, but never from another web site.
 */
export type Access = 'read' | 'trial' | 'form' | 'events' | 'operator'

/** The token a caller presented, or null when it is not one of ours. */
export type VerifyToken = (token: string) => Promise<{ name: string; scope: 'events' | 'operator' } | null>

/** Resolves with true when the token of a session cookie is good at present. */
export type VerifySession = (token: string) => Promise<boolean>

/** The checks of credentials. */
export interface Credentials {
  verifyToken: VerifyToken
  verifySession: VerifySession
  /** The right of whoever sits at the machine itself. */
  local: Pick<LocalOperator, 'look' | 'recognises' | 'knows'>
}

type Settings = Pick<HttpConfig, 'trusted_proxies' | 'operators'>

const IDP_HEADER = 'x-idp-username'
export const SESSION_COOKIE = 'lookout_session'
/**
 * The same over HTTPS. Over HTTP a browser takes no cookie of the name of one that is `Secure`, so that a sign-in there would be in
 * vain; and nobody on the way can give it one of this name (RFC 6265bis §4.1.3.2).
 */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`

/**
 * Contract §10, in this order: the identity a trusted proxy names, a token, a session cookie, this machine itself.
 * `X-Idp-Username` is believed from a trusted proxy only, and taken off the request in any case, so that nothing behind
 * this line can mistake it. A header sent twice names nobody: one of the two may be the client's own. Behind a trusted
 * proxy the absence of the header means unauthenticated: no session counts there.
 */
export async function identify(
  req: IncomingMessage,
  settings: Settings,
  { verifyToken, verifySession, local }: Credentials
): Promise<Identity> {
  const peer = plainAddress(req.socket.remoteAddress)
  const trusted = isListed(peer, settings.trusted_proxies)
  const [name = '', ...others] = valuesOf(req, IDP_HEADER)
  delete req.headers[IDP_HEADER]
  if (trusted && name !== '' && others.length === 0) return { kind: 'idp', name: fromUtf8(name) }
  const token = bearerToken(req.headers.authorization)
  if (token !== null && local.knows(token, req)) return { kind: 'loopback' }
  const verified = token === null ? null : await verifyToken(token)
  if (verified !== null) return { kind: 'token', name: verified.name, scope: verified.scope }
  if (token !== null) return { kind: 'refused' }
  const session = trusted ? null : sessionToken(req.headers.cookie)
  if (session !== null && (await verifySession(session))) return { kind: 'session' }
  const direct = settings.trusted_proxies.length === 0 && (await local.recognises(req))
  return { kind: direct ? 'loopback' : 'anonymous' }
}

/** True when the request was handed on by a trusted proxy, which alone says who asks. */
export function isBehindTrustedProxy(req: IncomingMessage, settings: Settings): boolean {
  return isListed(plainAddress(req.socket.remoteAddress), settings.trusted_proxies)
}

/** The token in the session cookie, or null. That of HTTPS first: it is the younger where both came. */
export function sessionToken(cookie: string | undefined): string | null {
  return cookieOf(cookie, SECURE_SESSION_COOKIE) ?? cookieOf(cookie, SESSION_COOKIE)
}

function cookieOf(cookie: string | undefined, name: string): string | null {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,64})(?:;|$)`).exec(cookie ?? '')?.[1] ?? null
}

/** Node joins repeated header fields; the raw list keeps them apart. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
    .map((value) => value.trim())
}

/** Node reads header bytes as ISO 8859-1; identity providers send names in UTF-8. What is no UTF-8 stays as it is. */
function fromUtf8(name: string): string {
  const bytes = Buffer.from(name, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : name
}

function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer[ ]+(\S+)[ ]*$/i.exec(authorization ?? '')?.[1] ?? null
}

/** True when this caller may do what the operator may: pages offer editing only then. */
export function canWrite(identity: Identity, settings: Settings): boolean {
  return isAllowed('operator', identity, settings)
}

/** Asked several times for every page, mostly of guests: a refusal that nobody is told makes no error. */
function isAllowed(access: Access, identity: Identity, { operators }: Settings): boolean {
  if (access === 'read' || access === 'trial' || access === 'form') return true
  if (identity.kind === 'loopback' || identity.kind === 'session') return true
  if (identity.kind === 'token') return identity.scope === 'operator' || access === 'events'
  return identity.kind === 'idp' && (operators.length === 0 || operators.includes(identity.name))
}

/** Lets the caller pass or throws: AppError `unauthenticated` when nobody is known, `forbidden` when it may not do this. */
export function authorise(access: Access, identity: Identity, settings: Settings): void {
  if (isAllowed(access, identity, settings)) return
  if (identity.kind === 'token') throw new AppError('forbidden', because('token_sends_events_only'))
  if (identity.kind === 'idp') throw new AppError('forbidden', because('not_an_operator', { name: identity.name }))
  const why = because(identity.kind === 'refused' ? 'token_not_valid' : 'who_are_you')
  throw new HttpError('unauthenticated', why, { 'WWW-Authenticate': 'Bearer realm="lookout"' })
}

/** Refuses writes that another web site makes a browser send. Throws AppError `forbidden`. */
export function checkOrigin(req: IncomingMessage, settings: Settings): void {
  const site = req.headers['sec-fetch-site']
  const origin = req.headers.origin
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const foreignOrigin = origin !== undefined && !ownHosts(req, settings).some((host) => isSameOrigin(origin, host))
  if (foreignSite || foreignOrigin) throw new AppError('forbidden', because('from_another_site'))
}

/** A trusted proxy may have put its own name into Host; what the browser asked for is then in X-Forwarded-Host. */
function ownHosts(req: IncomingMessage, settings: Settings): string[] {
  const host = req.headers.host ?? ''
  const [forwarded = '', ...others] = valuesOf(req, 'x-forwarded-host')
  const trusted = others.length === 0 && isListed(plainAddress(req.socket.remoteAddress), settings.trusted_proxies)
  return trusted && forwarded !== '' ? [forwarded] : [host]
}

/** The name that a rate limit counts: the identity behind a proxy, else the address. */
export function peerName(req: IncomingMessage, identity: Identity): string {
  return identity.kind === 'idp' ? `idp ${identity.name}` : plainAddress(req.socket.remoteAddress)
}
