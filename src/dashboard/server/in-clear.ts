import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { namesLoopback } from './local-operator.ts'

/** The way a request came. */
export interface Came {
  headers: IncomingHttpHeaders
  /** On a connection that we encrypt ourselves. */
  encrypted: boolean
}

export function isEncrypted(socket: Socket): boolean {
  return 'encrypted' in socket && socket.encrypted === true
}

/** A caller who lies in its headers only loses a cookie, or a warning, of their own: so nobody need be trusted for it. */
export function cameByHttps({ headers: { origin, 'x-forwarded-proto': proto }, encrypted }: Came): boolean {
  return encrypted || /^https:/i.test(origin ?? '') || /^https\b/i.test(String(proto ?? '').trim())
}

/** True when others in reach may read what this browser sends: no HTTPS that anybody tells of, and not the machine itself. */
export function isInClear(came: Came): boolean {
  return !cameByHttps(came) && !namesLoopback(came.headers.host)
}
