/** The lines of the longest function, by the formatter's layout: from the line that opens its body to the brace at its indent. */
export function longestFunction(text: string): number {
  const lines = text.split('\n')
  let longest = 0
  for (const [at, line] of lines.entries()) {
    const code = line.trim()
    if (!code.endsWith('{') || NO_FUNCTION.test(code) || !OPENS.some((pattern) => pattern.test(code))) continue
    const close = `${/^\s*/.exec(line)?.[0] ?? ''}}`
    longest = Math.max(longest, lines.findIndex((other, index) => index > at && other.startsWith(close)) - at + 1)
  }
  return longest
}

const NO_FUNCTION =
  /^(?:\}?\s*(?:if|else|for|while|switch|try|catch|finally|do|return|case|default)\b|(?:export )?(?:default )?(?:abstract )?(?:class|interface|type|enum|namespace)\b|\/|\*)/
const OPENS = [
  /=> \{$/,
  /\bfunction\b/,
  /^(?:(?:private|protected|static|async|override|get|set) )*[#\w$'"[\]*-]+(?:<.*>)?\(.*\)(?:: .+)? \{$/,
  /^\}?(?:: .*)?\)(?:: .*)? \{$/
]

/** Comments that begin with half a sentence. */
export function fragmentsIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line, at) => {
    const before = lines[at - 1] ?? ''
    if (line.startsWith('//') && before.startsWith('//')) return false
    const begun = /^(?:\/\*\*?|\/\/) (.*)/.exec(line)?.[1] ?? (/^\/\*\*?$/.test(before) ? line.replace(/^\* /, '') : '')
    return /^(?:What|Whether)\b/.test(begun)
  })
}

/** Names for helpers of every kind, which say nothing: the glossary has the word for each. */
export function vagueNames(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const named = code.match(/\b\w*(?:Desk|Keeper|Aftermath|Sides)(?![a-z])\w*/g) ?? []
  const declared = code.match(/\b(?:const|let|readonly|function) #?(?:desk|keeper|aftermath)\b/g) ?? []
  return [...named, ...declared]
}
