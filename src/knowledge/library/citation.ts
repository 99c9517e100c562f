import { isIP } from 'node:net'

/** The folder below which the running server has its books: newer ones serve them below `/content`. */
export type WikiPrefix = '' | '/content'

/**
 * `{wiki_url}/<archive name>/<article path>` (contract §9): every link into the library is made here. `base` is what
 * `wikiBase` answers. An article path is one of the archive, not yet encoded; '' is the archive's main page.
 */
export function articleUrl(base: string, filename: string, path: string): string {
  const book = encodeURIComponent(archiveName(filename))
  return `${base.replace(/\/+$/, '')}/${book}/${path.split('/').map(encodeSegment).join('/')}`
}

/**
 * The name by which the library server knows a file: without `.zim`, in small letters, without accents, a space is `_` and a
 * plus is `plus` (libkiwix, Book::getHumanReadableIdFromPath). For the names archives have it is the file name without `.zim`.
 */
export function archiveName(filename: string): string {
  return filename
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/\.zim[a-z]*$/, '')
    .replaceAll(' ', '_')
    .replaceAll('+', 'plus')
}

/** encodeURIComponent fails on half a surrogate pair, which a broken title may have. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\uFFFD'))
}

export interface WikiServerPlace {
  /** `supervised`: ours, on the address of the dashboard. `external`: where `url` says. */
  kind: 'supervised' | 'external'
  /** As this program reaches it: `http://127.0.0.1:8081`; null when there is none. */
  url: string | null
  /** The prefix that the running server needs; found by asking it. */
  prefix: WikiPrefix
}

/**
 * The base under which readers open articles, for `articleUrl`: `library.wiki_url`, else the host name they used for
 * the dashboard with the port of the library. Null: there is no server to open them. `requestHost` is the Host header,
 * checked before.
 */
export function wikiBase({
  wikiUrl,
  server,
  requestHost
}: {
  wikiUrl: string
  server: WikiServerPlace
  requestHost: string | undefined
}): string | null {
  if (wikiUrl !== '') return withPrefix(wikiUrl, server.prefix)
  const root = publicRoot(server, requestHost)
  return root === null ? null : withPrefix(root, server.prefix)
}

/** The same without what the server needs: its welcome page. */
export function publicRoot(
  { kind, url }: Pick<WikiServerPlace, 'kind' | 'url'>,
  requestHost: string | undefined
): string | null {
  if (url === null) return null
  const own = new URL(url)
  const plain = url.replace(/\/+$/, '')
  // One that somebody else runs on another machine is reached there; one on this machine by this machine's name.
  if (kind === 'external' && !isLoopbackName(own.hostname)) return plain
  const name = hostName(requestHost)
  if (name === null) return plain
  const path = own.pathname.replace(/\/+$/, '')
  return `${own.protocol}//${name}${own.port === '' ? '' : `:${own.port}`}${path}`
}

function withPrefix(url: string, prefix: WikiPrefix): string {
  const plain = url.replace(/\/+$/, '')
  return prefix === '' || plain.endsWith(prefix) ? plain : `${plain}${prefix}`
}

/** The host of `name:8080` and `[::1]:8080`. The server listens on IPv4: of this machine itself the other address is taken. */
function hostName(host: string | undefined): string | null {
  if (host === undefined || !URL.canParse(`http://${host}`)) return null
  const { hostname } = new URL(`http://${host}`)
  return hostname === '[::1]' ? '127.0.0.1' : hostname
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (isIP(name) === 4 && name.startsWith('127.'))
}
