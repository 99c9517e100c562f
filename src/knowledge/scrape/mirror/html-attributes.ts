import { rewriteCss } from './css-links.ts'

/** The questions of a page about its links; answers are the new ones. */
export interface LinkRules {
  /** To another page. Null: it is not in the copy, the link goes on to the site itself. */
  page: (address: string) => string | null
  /** To a page that is shown by itself, in a frame. Null: it is not in the copy, and nothing is loaded. */
  frame: (address: string) => string | null
  /** To a picture, a style sheet or a font. Null: it is not in the copy, and nothing is loaded. */
  part: (address: string) => string | null
}

/** In the order of the page. */
export type Attributes = Record<string, string>

const WIDEST = 1280
/** Attributes in which scripts that load pictures late keep the real address. */
const LATE = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy']
const DROPPED =
  /^(?:on.*|integrity|crossorigin|nonce|ping|srcdoc|formaction|action|http-equiv|srcset|data-srcset|imagesrcset|background|manifest|profile|longdesc|itemtype|src|poster|data)$/
const NO_LINK = /^\s*(?:javascript|vbscript|data|blob|file|about):/i

/** The attributes of an element in the copy: no scripts, no address that loads something from the network. */
export function rewriteAttributes(name: string, given: Attributes, rules: LinkRules): Attributes {
  const kept: Attributes = {}
  for (const [key, value] of Object.entries(given)) setIf(kept, key, attributeOf(name, key, value, rules))
  const background = given['background'] === undefined ? null : rules.part(given['background'])
  if (background !== null) kept['style'] = `${kept['style'] ?? ''};background-image:url("${background}")`
  setIf(kept, 'src', sourceOf(name, given, rules))
  return kept
}

/** Null: the copy has no such attribute. */
function attributeOf(name: string, key: string, value: string, rules: LinkRules): string | null {
  if (DROPPED.test(key) || LATE.includes(key)) return null
  if (key === 'style') return rewriteCss(value, rules.part)
  return key === 'href' || key === 'xlink:href' ? linkOf(name, value, rules) : value
}

function linkOf(name: string, value: string, rules: LinkRules): string | null {
  if (value.startsWith('#')) return value
  if (NO_LINK.test(value)) return null
  if (name === 'a' || name === 'area') return rules.page(value) ?? value
  return rules.part(value)
}

function sourceOf(name: string, given: Attributes, rules: LinkRules): string | null {
  if (name === 'iframe' || name === 'frame') return rules.frame(given['src'] ?? '')
  const wanted = name === 'img' ? pictureOf(given) : name === 'input' ? (given['src'] ?? null) : null
  if (wanted === null || wanted.trim() === '') return null
  if (/^\s*data:image\//i.test(wanted)) return wanted
  return NO_LINK.test(wanted) ? null : rules.part(wanted)
}

/** One picture of those offered: the real one, of a size for reading. */
function pictureOf(given: Attributes): string | null {
  const late = LATE.map((key) => given[key]).find((value) => value !== undefined && value !== '')
  const own = given['src'] ?? ''
  if (late !== undefined) return late
  if (own !== '' && !own.startsWith('data:')) return own
  return bestOf(given['srcset'] ?? given['data-srcset'] ?? '') ?? (own === '' ? null : own)
}

/** Of a `srcset`: the widest up to 1280, else the smallest. */
function bestOf(set: string): string | null {
  let best: { address: string; width: number } | null = null
  for (const [, address = '', size = ''] of set.slice(0, 20_000).matchAll(/([^\s,]\S*)(?:[^\S\n]+([\d.]+[wx]))?/g)) {
    const width = size.endsWith('w') ? Number.parseFloat(size) : (Number.parseFloat(size) || 1) * 640
    const isBetter = best === null || (width <= WIDEST ? width > best.width || best.width > WIDEST : width < best.width)
    if (isBetter) best = { address: address.replace(/,$/, ''), width }
  }
  return best?.address ?? null
}

function setIf(kept: Attributes, key: string, value: string | null): void {
  if (value !== null) kept[key] = value
}
