export const REDACTED = '[redacted]'

const SECRET_NAME =
  /(?:^key|password|passphrase|passwd|secret|token|psk|apikey|mapkey|privatekey|authorization|cookie|claimcode)$/
const IN_TEXT: readonly [RegExp, string][] = [
  [/([?&](?:api_?key|key|token|access_token|map_key|appid|secret|password)=)[^&\s"\\#]+/gi, `$1${REDACTED}`],
  // NASA FIRMS takes its key as a part of the path.
  [/(\/api\/(?:area|country)\/csv\/)[^/\s"\\]+/g, `$1${REDACTED}`],
  [/\b(bearer)\s+[\w.~+/=-]{16,}/gi, `$1 ${REDACTED}`],
  [/(\/\/[^\s/:@"\\]*:)[^\s/"\\]+@/g, `$1${REDACTED}@`]
]

/**
 * True when a field of this name holds something that must never be shown: `smtp_password`, `apiKey`, `psk`,
 * `Authorization` …
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.toLowerCase().replace(/[-_ ]/g, ''))
}

/** Hides secrets in a piece of text: values in query strings, bearer tokens, passwords in addresses. */
export function redactText(text: string): string {
  let clean = text
  for (const [pattern, replacement] of IN_TEXT) clean = clean.replace(pattern, replacement)
  return clean
}
