import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cleanAddress } from './address.ts'
import { rewriteCss } from './css-links.ts'
import { linkBetween } from './file-names.ts'
import type { Entry, Frontier } from './frontier.ts'
import type { LinkRules } from './html-attributes.ts'
import { copyPage } from './html-copy.ts'

/**
 * Writes what was fetched as a copy that needs no network: in every page and style sheet the links lead to files of the copy;
 * links to pages that are not in it lead to the site, and what else is not in it is not loaded. Idempotent.
 */
export async function writeSite(folder: string, frontier: Frontier): Promise<void> {
  for (const entry of frontier.kept()) {
    if (entry.raw === null) continue
    const text = await readFile(join(folder, 'raw', String(entry.raw)), 'utf8')
    const path = join(folder, 'site', entry.file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, entry.mime === 'text/css' ? styleOf(text, entry, frontier) : pageOf(text, entry, frontier))
  }
}

function pageOf(html: string, entry: Entry, frontier: Frontier): string {
  const from = new URL(entry.from)
  let base = from
  const inside = (address: string): string | null => {
    const url = cleanAddress(address, base)
    const found = url === null ? null : kept(frontier, url)
    if (found === null) return null
    const hash = hashOf(address)
    return found === entry && hash !== '' ? hash : `${linkBetween(entry.file, found.file)}${hash}`
  }
  const rules: LinkRules = {
    page: (address) => inside(address) ?? absolute(address, base),
    frame: inside,
    part: (address) => partLink(address, base, entry, frontier)
  }
  return copyPage(html, rules, (address) => {
    base = cleanAddress(address, from) ?? from
  }).html
}

function styleOf(css: string, entry: Entry, frontier: Frontier): string {
  return rewriteCss(css, (address) => partLink(address, new URL(entry.from), entry, frontier))
}

function partLink(address: string, base: URL, entry: Entry, frontier: Frontier): string | null {
  const url = cleanAddress(address, base)
  const found = url === null ? null : kept(frontier, url)
  return found === null || found.kind === 'page' ? null : `${linkBetween(entry.file, found.file)}${hashOf(address)}`
}

function kept(frontier: Frontier, url: URL): Entry | null {
  const found = frontier.find(url)
  return found?.state === 'done' && found.kind !== 'document' ? found : null
}

function absolute(address: string, base: URL): string | null {
  const trimmed = address.trim()
  return URL.canParse(trimmed, base.href) ? new URL(trimmed, base.href).href : null
}

/** The place in a page. */
function hashOf(address: string): string {
  const at = address.indexOf('#')
  return at === -1 ? '' : `#${encodeURI(address.slice(at + 1).trim()).replace(/%25/g, '%')}`
}
