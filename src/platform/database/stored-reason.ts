import { because, isReason, type Reason, shortened } from '../../model/reason.ts'

/** A reason as a column holds it: JSON, the words of others in it cut to a length that a page can show. */
export function reasonText(reason: Reason | null): string | null {
  return reason === null ? null : JSON.stringify(shortened(reason))
}

/** Reads the content of a column. Whatever is no reason any more is somebody's words: nothing that was said is lost. */
export function storedReason(value: unknown): Reason | null {
  if (value === null || value === undefined) return null
  const text = String(value)
  try {
    const stored: unknown = JSON.parse(text)
    if (isReason(stored)) return stored
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return because('note', { text })
}
