import { type Element, elementsOf } from './html-tree.ts'

const LEAVE_OUT = new Set(['nav', 'footer', 'aside', 'menu'])
const ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'search',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
  'toolbar'
])
/** Words in names of classes and ids of what surrounds a text. */
const SURROUNDING =
  /(?:^|[\s_-])(?:ads?|advert\w*|banner|breadcrumbs?|byline-share|comments?|cookies?|consent|disqus|footer|gdpr|hidden|infinite|masthead|menu|mw-editsection|mw-jump-link|nav|navbar|navbox|navigation|newsletter|noprint|outbrain|pagination|paywall|popup|print-only|promo|reference|reflist|related|recommended|screen-reader-text|share|sharing|sidebar|skip-?link|social|sponsor\w*|subscribe|taboola|toolbar|visually-hidden|widget)(?:$|[\s_-])/i
const NEVER_SURROUNDING = new Set(['html', 'body', 'main', 'article'])
/** Names of what holds the text, where the elements do not say it. */
const HOLDER =
  /^(?:article-?(?:body|content|text)|entry-?content|main-?content|mw-content-text|page-?content|post-?(?:body|content)|story-?body|content|bodyContent)$/i
const PARAGRAPHS = new Set(['p', 'pre', 'td', 'li', 'blockquote', 'dd'])

/**
 * The element that holds what somebody would read, without what surrounds it (menus, adverts, comments …): what the page
 * itself calls its main part or its article, else where the paragraphs are. Better too much than too little.
 */
export function mainPart(root: Element): Element {
  const lengths = new Lengths(root)
  const page = lengths.text(root)
  prune(root, (element) => isSurrounding(element) && (isCertain(element) || lengths.text(element) < page / 2))
  const left = new Lengths(root)
  const body = [...elementsOf(root)].find(({ tag }) => tag === 'body') ?? root
  const all = left.own(body)
  const named = candidates(body, left)
  if (named !== null && left.own(named) >= Math.min(250, all * 0.6)) return named
  const found = byParagraphs(body, left)
  return found !== null && left.own(found) >= all * 0.4 ? found : body
}

function isCertain({ tag, attributes }: Element): boolean {
  return tag === 'nav' || tag === 'footer' || 'hidden' in attributes || attributes['aria-hidden'] === 'true'
}

function isSurrounding({ tag, attributes }: Element): boolean {
  if (NEVER_SURROUNDING.has(tag)) return false
  if (LEAVE_OUT.has(tag) || 'hidden' in attributes || attributes['aria-hidden'] === 'true') return true
  if (ROLES.has((attributes['role'] ?? '').toLowerCase())) return true
  if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes['style'] ?? '')) return true
  return SURROUNDING.test(attributes['class'] ?? '') || SURROUNDING.test(attributes['id'] ?? '')
}

function prune(root: Element, isOut: (element: Element) => boolean): void {
  for (const element of elementsOf(root)) {
    element.children = element.children.filter((child) => typeof child === 'string' || !isOut(child))
  }
}

/** Lengths of texts, worked out once, from the leaves up. */
class Lengths {
  readonly #text = new Map<Element, number>()
  readonly #links = new Map<Element, number>()

  constructor(root: Element) {
    for (const element of [...elementsOf(root)].reverse()) {
      let text = 0
      let links = 0
      for (const child of element.children) {
        text += typeof child === 'string' ? lengthOf(child) : this.text(child)
        links += typeof child === 'string' ? 0 : this.links(child)
      }
      this.#text.set(element, text)
      this.#links.set(element, element.tag === 'a' ? text : links)
    }
  }

  text(element: Element): number {
    return this.#text.get(element) ?? 0
  }

  links(element: Element): number {
    return this.#links.get(element) ?? 0
  }

  /** Without the words of links. */
  own(element: Element): number {
    return this.text(element) - this.links(element)
  }
}

function lengthOf(text: string): number {
  return text.replace(/\s+/g, ' ').length
}

/** The part that the page calls its article or its main part: the one with the most text, where there are several. */
function candidates(body: Element, lengths: Lengths): Element | null {
  const kinds: ((element: Element) => boolean)[] = [
    ({ attributes }) => (attributes['itemprop'] ?? '').toLowerCase() === 'articlebody',
    ({ tag }) => tag === 'article',
    ({ tag, attributes }) => tag === 'main' || (attributes['role'] ?? '').toLowerCase() === 'main',
    ({ attributes }) =>
      HOLDER.test(attributes['id'] ?? '') || (attributes['class'] ?? '').split(/\s+/).some((name) => HOLDER.test(name))
  ]
  const elements = [...elementsOf(body)]
  for (const isOne of kinds) {
    const found = elements.filter(isOne)
    const best = found.reduce<Element | null>(
      (one, other) => (one === null || lengths.own(other) > lengths.own(one) ? other : one),
      null
    )
    // Of a list of teasers none is the text.
    const sum = outermost(found).reduce((total, element) => total + lengths.own(element), 0)
    if (best !== null && lengths.own(best) >= sum / 2) return best
  }
  return null
}

/** Of elements in the order of the page: what is within one of them is looked through once, however deep they nest. */
function outermost(found: readonly Element[]): Element[] {
  const within = new Set<Element>()
  return found.filter((element) => {
    if (within.has(element)) return false
    for (const inner of elementsOf(element)) within.add(inner)
    return true
  })
}

/** Each paragraph speaks for what it stands in, and half for what that stands in. */
function byParagraphs(body: Element, lengths: Lengths): Element | null {
  const scores = new Map<Element, number>()
  const add = (element: Element | undefined, score: number): void => {
    if (element !== undefined) scores.set(element, (scores.get(element) ?? 0) + score)
  }
  const parents = new Map<Element, Element>()
  for (const element of elementsOf(body)) {
    for (const child of element.children) if (typeof child === 'object') parents.set(child, element)
    const own = lengths.own(element)
    if (!PARAGRAPHS.has(element.tag) || own < 25) continue
    const parent = parents.get(element)
    const score = 1 + Math.min(3, own / 100)
    add(parent, score)
    add(parent === undefined ? undefined : parents.get(parent), score / 2)
  }
  let best: Element | null = null
  let most = 0
  for (const [element, score] of scores) {
    const weighted = score * (lengths.own(element) / Math.max(1, lengths.text(element)))
    if (weighted > most) [best, most] = [element, weighted]
  }
  return best
}
