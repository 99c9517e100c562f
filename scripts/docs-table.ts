/** A Markdown table. Bars and line breaks inside of cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
