/** Product, version and whom to call, in characters a header may hold (RFC 9110 §5.5, §10.1.5). */
export function userAgent(version: string, contact: string): string {
  const clean = contact
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/[()\\]/g, '')
    .trim()
    .slice(0, 200)
  return clean === '' ? `Lookout/${version}` : `Lookout/${version} (+${clean})`
}
