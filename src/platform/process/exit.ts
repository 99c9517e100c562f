import { because, type Reason } from '../../model/reason.ts'

/** The end of a process: the name of the signal, or its exit code. */
export function exitReason(code: number | null, signal: string | null = null): Reason {
  return signal === null ? because('exit_code', { code: String(code) }) : because('note', { text: signal })
}
