import type { IncomingHttpHeaders } from 'node:http'
import { namesLoopback } from './local-operator.ts'

/** A caller who lies here only loses a cookie, or a warning, of their own: so nobody need be trusted for it. */
export function cameByHttps({ origin, 'x-forwarded-proto': proto }: IncomingHttpHeaders): boolean {
  return /^https:/i.test(origin ?? '') || /^https\b/i.test(String(proto ?? '').trim())
}

/** True when others in reach may read what this browser sends: no HTTPS that anybody tells of, and not the machine itself. */
export function isInClear(headers: IncomingHttpHeaders): boolean {
  return !cameByHttps(headers) && !namesLoopback(headers.host)
}
