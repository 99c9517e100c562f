/** Markup that is safe to send: made by `html`, which escapes everything that is not markup itself. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

export type Content = Html | string | number | null | readonly Content[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Characters that turn the order of the letters around them, and controls that no page may hold: texts come from
 * strangers.
 */
const TURNS_OR_CONTROLS = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu

/** Text as it may stand between tags and inside of quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(TURNS_OR_CONTROLS, '').replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

function render(content: Content): string {
  if (content === null) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(render).join('')
  return escapeHtml(String(content))
}

/** A piece of markup; every value put into it is escaped, unless it is markup too. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.map((part, index) => `${part}${render(values[index] ?? null)}`).join(''))
}
