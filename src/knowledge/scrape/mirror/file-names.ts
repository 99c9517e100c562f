import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { decoded } from './address.ts'

const SEGMENT_BYTES = 80
const PATH_BYTES = 400
const PAGE_ENDING = /\.(?:x?html?|php\d?|aspx?|jspx?|cgi|cfm)$/i

/** Endings of files by media type: the archive's types are told by them. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'text/css': 'css',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/font-woff': 'woff',
  'application/font-woff2': 'woff2',
  'application/x-font-woff': 'woff',
  'application/x-font-ttf': 'ttf',
  'application/x-font-otf': 'otf',
  'application/vnd.ms-fontobject': 'eot'
}
/** Types that say nothing: the ending of the address is believed. */
const SAYS_NOTHING = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'])
const FONT_OR_PICTURE = /\.(woff2?|ttf|otf|eot|png|jpe?g|gif|webp|avif|svg|ico|css)$/i

/** The ending a part of a page is kept under; null for what is not kept. */
export function endingOf(mime: string, url: URL): string | null {
  if (!SAYS_NOTHING.has(mime)) return ENDINGS[mime] ?? null
  return FONT_OR_PICTURE.exec(url.pathname)?.[1]?.toLowerCase() ?? null
}

/**
 * Names for the files of a copy: `<host>/<path>`, in the letters of the site, without what file systems and links do not bear,
 * each name given once (also where capital letters make no difference), and never a file and a folder of the same name.
 */
export class FileNames {
  readonly #given = new Set<string>()

  /** One that was given in an earlier run. */
  take(file: string): void {
    this.#given.add(file.toLowerCase())
  }

  give(url: URL, ending: string): string {
    const segments = url.pathname
      .split('/')
      .slice(1)
      .map((part) => clean(decoded(part)))
    const last = segments.pop() ?? ''
    const folders = segments.filter((part) => part !== '').map(folderName)
    const query = url.search === '' ? '' : `~${digest(url.search)}`
    const own = ending === 'html' ? last.replace(PAGE_ENDING, '') : last.replace(/\.[a-z0-9]{1,5}$/i, '')
    const name = `${shortened(own === '' ? 'index' : own)}${query}`
    const folder = [clean(url.host.replace(':', '-')), ...folders].join('/')
    const stem =
      Buffer.byteLength(folder) > PATH_BYTES ? `${clean(url.host)}/~${digest(folder)}/${name}` : `${folder}/${name}`
    for (let count = 1; ; count++) {
      const file = `${stem}${count === 1 ? '' : `~${count}`}.${ending}`
      if (this.#given.has(file.toLowerCase())) continue
      this.take(file)
      return file
    }
  }
}

function clean(part: string): string {
  const plain = part.replace(/[\p{Cc}\p{Cs}\\/:*?"<>|#%&;+~\s]+/gu, '_').replace(/^\.+|\.+$/g, '_')
  return shortened(plain)
}

/** Files have an ending, folders have none: so they never meet. */
function folderName(part: string): string {
  return /\.[a-z0-9]{1,5}$/i.test(part) ? `${part}_` : part
}

function shortened(part: string): string {
  if (Buffer.byteLength(part) <= SEGMENT_BYTES) return part
  let kept = ''
  for (const letter of part) {
    if (Buffer.byteLength(kept + letter) > SEGMENT_BYTES - 10) break
    kept += letter
  }
  return `${kept}~${digest(part)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** The link from one file of the copy to another. */
export function linkBetween(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.split('/').map(encodeURIComponent).join('/')
}
