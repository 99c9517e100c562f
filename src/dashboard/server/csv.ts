/** Spreadsheets run what begins like this as a formula, and some leave out the blanks before it. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u

function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : Array.isArray(value) ? value.join(' | ') : String(value)
  const safe = typeof value !== 'number' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A table by RFC 4180, with a header row. Texts that a spreadsheet would run as a formula get an apostrophe in front. */
export function csv<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  const lines = [columns.join(','), ...rows.map((row) => columns.map((column) => field(row[column])).join(','))]
  return `${lines.join('\r\n')}\r\n`
}
