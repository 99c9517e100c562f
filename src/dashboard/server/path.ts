/** A request target, taken apart. */
export interface Target {
  /** Every segment in one spelling: what needs no percent sign has none. */
  path: string
  query: URLSearchParams
}

/**
 * Reads a request target (RFC 9112 §3.2). One trailing slash does not count (contract §11); an empty segment, a broken
 * percent sign or `*` can name no route: null.
 */
export function readTarget(url: string): Target | null {
  const origin = url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '')
  const [whole = ''] = origin.split('#')
  const mark = whole.indexOf('?')
  const written = mark < 0 ? whole : whole.slice(0, mark)
  const query = new URLSearchParams(mark < 0 ? '' : whole.slice(mark + 1))
  if (written === '' || written === '/') return written === '/' || origin !== url ? { path: '/', query } : null
  if (!written.startsWith('/')) return null
  const segments = written.replace(/\/$/, '').split('/').slice(1).map(canonical)
  if (segments.some((segment) => segment === null || segment === '')) return null
  return { path: `/${segments.join('/')}`, query }
}

function canonical(segment: string): string | null {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
