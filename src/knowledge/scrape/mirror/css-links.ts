/**
 * `url(…)` and `@import "…"` (CSS Syntax §4.3.6: without quotes there is no bracket in it, and a blank only behind an escape); strings and
 * comments of other kinds are left as they are. Nothing in it can be read in two ways: a long address that never ends would be read in all of them.
 */
const LINK =
  /url\(\s*(?!\s)(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|((?:\\.|[^()"'\s\\]|(?<=\\[0-9a-f]{1,6})\s)*))\s*\)|(@import\s+)(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/gi

/** A style sheet whose links were asked for one by one: `replace` answers the new one, or null for one that leads nowhere. */
export function rewriteCss(css: string, replace: (address: string) => string | null): string {
  return css.replace(LINK, (whole: string, ...groups: (string | undefined)[]) => {
    const [double, single, plain, rule, importDouble, importSingle] = groups
    const address = unescaped(double ?? single ?? plain ?? importDouble ?? importSingle ?? '')
    if (address === '' || /^(?:data:|about:|#)/i.test(address)) return whole
    const link = replace(address)
    const written = link === null ? 'url("data:,")' : `url("${link.replace(/["\\\n]/g, encodeURIComponent)}")`
    return `${rule ?? ''}${written}`
  })
}

/** CSS escapes (CSS Syntax §4.3.7), as far as addresses have them. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, hex: string | undefined, letter: string | undefined) => {
    const code = Number.parseInt(hex ?? '', 16)
    return hex === undefined ? (letter ?? '') : code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
