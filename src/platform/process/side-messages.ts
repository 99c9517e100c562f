import { because, type Reason } from '../../model/reason.ts'
import { AppError, type ErrorCode } from '../errors.ts'

/** From the station to a side process. */
export type ToSide =
  | { type: 'request'; id: number; method: string; params: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'notify'; method: string; params: unknown }
  /** Nothing is under way: the idle side process may end. */
  | { type: 'end' }

/** From a side process to the station. */
export type FromSide =
  | { type: 'ready' }
  | { type: 'idle' }
  | { type: 'notify'; method: string; params: unknown }
  | { type: 'result'; id: number; result: unknown }
  | { type: 'error'; id: number; code: ErrorCode | null; message: string; reason?: Reason }

/** Both ends are this program, but a message is checked like everything that comes from outside. */
export function isMessage<T extends ToSide | FromSide>(value: unknown, types: readonly T['type'][]): value is T {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return types.some((type) => type === value.type)
}

/** An error as the other end threw it: AppErrors keep their code and their reason. */
export function errorOf({
  code,
  message,
  reason
}: Pick<FromSide & { type: 'error' }, 'code' | 'message' | 'reason'>): Error {
  return code === null ? new Error(message) : new AppError(code, reason ?? because('note', { text: message }))
}
