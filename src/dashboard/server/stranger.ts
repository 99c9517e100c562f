import type { IncomingMessage } from 'node:http'
import type { Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { Identity } from './identity.ts'
import type { Shares } from './shares.ts'

/** Under the last strain a guest still sees what is in force, and an operator can sign in. */
const KEPT: ReadonlySet<string> = new Set([
  '/alerts',
  '/alerts/continue',
  '/api/captive-portal',
  // Another station decides by it what it says.
  '/api/standby/question',
  '/sign-in',
  '/api/session'
])
const isKept = (path: string): boolean => KEPT.has(path) || path.startsWith('/api/health/')

/** Nobody who may change anything. */
export const isStranger = ({ kind }: Identity): boolean => kind === 'anonymous' || kind === 'refused'

/** @throws AppError `rate-limited` for one who asks too often; `unavailable` while pages of guests are given up. */
export function admitStranger(
  path: string,
  req: IncomingMessage,
  { shares, shedFor }: { shares: Pick<Shares, 'demandTurn'>; shedFor: () => Reason | null }
): void {
  shares.demandTurn(req.socket)
  const reason = isKept(path) ? null : shedFor()
  if (reason !== null) throw new AppError('unavailable', reason)
}
