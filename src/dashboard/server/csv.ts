/** Spreadsheets run what begins like this as a formula, and some leave out the blanks before it. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u

function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : Array.isArray(value) ? value.join(' | ') : String(value)
  const safe = typeof value !== 'number' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A table by RFC 4180, with a header row. Texts that a spreadsheet would run as a formula get an apostrophe in front. */
export function csv<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return csvTable(
    columns,
    rows.map((row) => csvLine(columns, row))
  )
}

/** One line of such a table: a long one is written in slices. */
export function csvLine<Row extends object>(columns: readonly (keyof Row & string)[], row: Row): string {
  return columns.map((column) => field(row[column])).join(',')
}

/** The table of lines that are written already. */
export function csvTable(columns: readonly string[], lines: readonly string[]): string {
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`
}
