import type { JsonNode } from './locate.ts'

/** The text that stands on disk now and its structure. */
export interface Written {
  text: string
  root: JsonNode
}

/** A value as it stands in the text; without a node it is new. */
interface Standing {
  node: JsonNode | undefined
  written: unknown
}

interface Style {
  text: string
  unit: string
  newline: string
}

/**
 * The text for `value`, changed no more than it must be: whatever is equal keeps its spelling, its layout and the order of
 * its keys to the letter, also numbers beyond what JavaScript can hold and keys it would sort (`"12"` before `"b"`).
 * Without `written` it is plain JSON, indented by two. It ends in a line feed.
 */
export function rewriteJson(value: unknown, written: Written | null): string {
  if (written === null) return `${JSON.stringify(value, null, 2)}\n`
  const { text, root } = written
  const style = { text, unit: indentOf(text, root), newline: text.includes('\r\n') ? '\r\n' : '\n' }
  return `${render(value, { node: root, written: JSON.parse(text) }, '', style)}${style.newline}`
}

function indentOf(text: string, root: JsonNode): string {
  const first = root.members[0]?.keyStart ?? root.start
  return /\n([ \t]+)$/.exec(text.slice(0, first))?.[1] ?? '  '
}

function render(value: unknown, { node, written }: Standing, indent: string, style: Style): string {
  if (node !== undefined && isSpeltAlike(value, written)) return style.text.slice(node.start, node.end)
  if (Array.isArray(value) && node?.kind === 'array') {
    const items: unknown[] = Array.isArray(written) ? written : []
    return list(
      '[',
      value.map(
        (item, index) => (inner) => render(item, { node: node.items[index], written: items[index] }, inner, style)
      ),
      ']',
      indent,
      style
    )
  }
  if (typeof value === 'object' && value !== null && node?.kind === 'object') {
    const before = typeof written === 'object' && written !== null ? written : {}
    const members = keyOrder(value, node, before).map((key) => (inner: string) => {
      const member = node.members.findLast((other) => other.key === key)
      const stands = { node: member?.value, written: Reflect.get(before, key) }
      return `${JSON.stringify(key)}: ${render(Reflect.get(value, key), stands, inner, style)}`
    })
    return list('{', members, '}', indent, style)
  }
  return JSON.stringify(value, null, style.unit).replaceAll('\n', `${style.newline}${indent}`)
}

/** True when both are the same JSON, their keys in the same order. It ends at the first difference. */
function isSpeltAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isSpeltAlike(item, other[index]))
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  if (keys.length !== others.length) return false
  return keys.every(
    (key, index) => key === others[index] && isSpeltAlike(Reflect.get(one, key), Reflect.get(other, key))
  )
}

function list(
  open: string,
  parts: ((indent: string) => string)[],
  close: string,
  indent: string,
  style: Style
): string {
  if (parts.length === 0) return `${open}${close}`
  const inner = `${indent}${style.unit}`
  const lines = parts.map((part) => `${inner}${part(inner)}`).join(`,${style.newline}`)
  return `${open}${style.newline}${lines}${style.newline}${indent}${close}`
}

/** The order of the file, new keys behind it; when the change put the old keys into another order, that order. */
function keyOrder(value: object, node: JsonNode, written: object): string[] {
  const keys = Object.keys(value)
  const had = new Set(node.members.map(({ key }) => key))
  const before = Object.keys(written).filter((key) => Object.hasOwn(value, key))
  const moved = keys.filter((key) => had.has(key)).some((key, index) => key !== before[index])
  if (moved) return keys
  return [...[...had].filter((key) => Object.hasOwn(value, key)), ...keys.filter((key) => !had.has(key))]
}
