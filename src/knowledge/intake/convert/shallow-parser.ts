import { type Handler, Parser, type ParserOptions } from 'htmlparser2'

/** Elements that may be open at once: pages that close nothing have some hundred, and no document has more. */
export const MOST_OPEN = 500
const OPTIONS: ParserOptions = {
  decodeEntities: true,
  lowerCaseTags: true,
  lowerCaseAttributeNames: true,
  recognizeSelfClosing: false
}

/**
 * A parser of markup that opens nothing where `isTooDeep` says so: there an element is over as soon as it has begun, and its
 * content belongs to what it stands in. The parser looks through all that is open for every closing tag without an opening
 * one, so a page of both costs the square of its length.
 */
export class ShallowParser extends Parser {
  readonly #isTooDeep: (tag: string) => boolean
  #isClosing = false
  /** Asked twice for each opening tag, and between them the element was opened: the second answer is the first. */
  #answer: boolean | null = null

  constructor(handler: Partial<Handler>, isTooDeep: (tag: string) => boolean, options: ParserOptions = OPTIONS) {
    super(handler, options)
    this.#isTooDeep = isTooDeep
  }

  override onclosetag(start: number, end: number): void {
    this.#isClosing = true
    super.onclosetag(start, end)
    this.#isClosing = false
  }

  protected override isVoidElement(tag: string): boolean {
    // A form within a form has no name.
    if (this.#isClosing || tag === '') return super.isVoidElement(tag)
    const isVoid = this.#answer ?? (super.isVoidElement(tag) || this.#isTooDeep(tag))
    this.#answer = this.#answer === null ? isVoid : null
    return isVoid
  }
}
