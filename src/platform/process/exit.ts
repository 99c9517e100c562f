import { because, type Reason } from '../../model/reason.ts'
import { reasonOf } from '../errors.ts'
import type { ChildEnd } from './child-spec.ts'

/** The end of a process: the name of the signal, or its exit code. */
export function exitReason(code: number | null, signal: string | null = null): Reason {
  return signal === null ? because('exit_code', { code: String(code) }) : because('note', { text: signal })
}

/** The reason why it failed; null when it ended well. */
export function failureOf({ code, signal, error }: ChildEnd): Reason | null {
  if (error !== null) return because('could_not_be_started', { said: reasonOf(error) })
  return code === 0 ? null : because('ended_how', { how: exitReason(code, signal) })
}
