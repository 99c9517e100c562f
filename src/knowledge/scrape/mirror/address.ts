import type { ScrapeLimits } from '../job.ts'

const MAX_URL = 1500
const MAX_SEGMENTS = 20
const MAX_PARAMETERS = 10
/** Parameters that say where a reader came from, or who it is: the page is the same without them. */
const TRACKING =
  /^(?:utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|[gdw]?clid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hs\w+|ref_src|wt_mc|phpsessid|jsessionid|sessionid|sid)$/i
const INDEX = /\/(?:index|default)\.(?:html?|php|aspx?)$/i
/** Links that end so lead to no page. */
const NO_PAGE =
  /\.(?:7z|apk|avi|bin|bz2|csv|deb|dmg|docx?|epub|exe|flac|gz|ics|iso|jar|json|m4[av]|mkv|mobi|mov|mp[34]|mpe?g|msi|od[pst]|ogg|ogv|opus|pdf|pptx?|rar|rpm|rss|tar|tgz|tiff?|torrent|wav|webm|wmv|xlsx?|xml|xz|zim|zip)$/i

/** An address as it is asked for: no fragment, no parameters that track. Null for what is not archived: other protocols, traps. */
export function cleanAddress(text: string, base: URL): URL | null {
  const trimmed = text.trim()
  const url = trimmed.length > MAX_URL ? null : parsed(trimmed, base)
  if (url === null) return null
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return null
  url.hash = ''
  url.pathname = url.pathname.replace(/;jsessionid=[^/]*/gi, '')
  const names = [...url.searchParams.keys()]
  for (const name of names) if (TRACKING.test(name)) url.searchParams.delete(name)
  if (url.href.length > MAX_URL || [...url.searchParams].length > MAX_PARAMETERS) return null
  return url.pathname.split('/').length > MAX_SEGMENTS ? null : url
}

/** `URL.canParse` is not enough: of some hosts with a bad escape it says yes, and the constructor throws. */
function parsed(text: string, base: URL): URL | null {
  try {
    return new URL(text, base.href)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/**
 * Two addresses with the same key are one page: http and https, with and without `www.`, with and without a slash or
 * `index.html` at the end, whatever the order of parameters and the way letters are encoded.
 */
export function addressKey(url: URL): string {
  const path = decoded(url.pathname).replace(INDEX, '/').replace(/\/+$/, '')
  const query = [...url.searchParams].map(([name, value]) => `${name}=${value}`).sort()
  return `${hostKey(url)}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** Host and port; `www.` makes no difference. */
export function hostKey({ host }: URL): string {
  return host.replace(/^www\./, '')
}

/** Decoded as far as it can be, in the composed form of Unicode. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

/** True when a link leads to a document that the document library takes. */
export function isDocument(url: URL): boolean {
  return /\.(?:pdf|epub)$/i.test(url.pathname)
}

/** True when a link may lead to a page of the site. */
export function mayBePage(url: URL): boolean {
  return !NO_PAGE.test(url.pathname)
}

/** The site whose first page this is: its host, the folder of the page, or the host and those below it. */
export function scopeOf(first: URL, scope: ScrapeLimits['scope']): (url: URL) => boolean {
  const home = hostKey(first)
  if (scope === 'domain') return (url) => hostKey(url) === home || url.host.endsWith(`.${home}`)
  if (scope === 'host') return (url) => hostKey(url) === home
  const folder = decoded(first.pathname.slice(0, first.pathname.lastIndexOf('/') + 1))
  const itself = decoded(first.pathname)
  return (url) => {
    const path = decoded(url.pathname)
    return hostKey(url) === home && (path.startsWith(folder) || path === itself || `${path}/` === folder)
  }
}
