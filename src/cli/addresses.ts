import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { addressPath } from '../knowledge/addresses/address-path.ts'
import type { Imported } from '../knowledge/addresses/import.ts'
import type { AddressFile } from '../knowledge/addresses/inspect.ts'
import { isState } from '../knowledge/addresses/states.ts'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'
import { addressFileOf } from './address-file.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout addresses import FILE.csv… [--state ID,MT] [--country US] [--out FILE] [--data DIR]
       lookout addresses import --from FILE.sqlite --state ID [--out FILE] [--data DIR]
       lookout addresses check [FILE] [--data DIR] [--json]

The file in which the dashboard looks postal addresses up.
  import   builds it from CSV files (.csv, .csv.gz, .tsv) with the columns of Netsyms, OpenAddresses or the National
           Address Database, or copies a part of another address file. The old file stays until the new one is whole.
  check    what a file is, and which indexes it lacks; changes nothing
  --state  only these states and provinces; rows that name none get the only one
  --country  only this one (US, CA, DE, …); rows that name none are taken to lie there
  --out    default: addresses.sqlite in the data folder, where a running station finds it by itself

exit codes: 0 done · 1 failed · 2 usage, or no row can be used · 4 a file is missing
`

interface Values {
  state: string | undefined
  country: string | undefined
  from: string | undefined
  out: string | undefined
  data: string | undefined
}

/** `lookout addresses`: contract §10, address database. */
export async function addresses(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      state: { type: 'string' },
      country: { type: 'string' },
      from: { type: 'string' },
      out: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  const [action, ...files] = positionals
  if (values.help || action === undefined) {
    context.out(HELP)
    return values.help ? 0 : 2
  }
  const given: Values = {
    state: undefined,
    country: undefined,
    from: undefined,
    out: undefined,
    data: undefined,
    ...values
  }
  if (action === 'import') return importFiles(files, given, context)
  if (action === 'check') return check(files, { ...given, json: values.json === true }, context)
  throw new AppError('usage', because('addresses_action_unknown', { action }))
}

async function importFiles(files: readonly string[], values: Values, context: VerbContext): Promise<number> {
  if (files.length === 0 && values.from === undefined) throw new AppError('usage', because('addresses_names_files'))
  const out = values.out === undefined ? addressPath(verbFolder(values.data, context), '') : resolve(values.out)
  // Sorting that does not fit into memory goes beside the file, not into a temporary folder that may be memory.
  process.env['SQLITE_TMPDIR'] ??= existsSync(dirname(out)) ? dirname(out) : process.cwd()
  const { importAddresses } = await import('../knowledge/addresses/import.ts')
  const done = await importAddresses({
    files,
    from: values.from ?? null,
    out,
    now: Date.now(),
    states: statesOf(values.state),
    country: countryOf(values.country),
    onProgress: ({ rows, read, step }) =>
      context.err(step === 'rows' ? `${read} read, ${rows} taken\n` : `${rows} taken: ${step}\n`)
  })
  tell(done, out, context)
  return 0
}

function tell({ rows, duplicates, bytes, leftOut }: Imported, out: string, context: VerbContext): void {
  for (const [reason, count] of [...leftOut].sort((a, b) => b[1] - a[1]))
    context.err(`left out: ${count} × ${reason}\n`)
  if (duplicates > 0) context.err(`left out: ${duplicates} × stands twice\n`)
  context.out(`${out}: ${rows} addresses, ${mebibytes(bytes)}\n`)
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 2 : 0)} MiB`
}

function statesOf(text: string | undefined): string[] {
  const states = (text ?? '')
    .toUpperCase()
    .split(/[ ,]+/)
    .filter((state) => state !== '')
  const unknown = states.find((state) => !isState(state))
  if (unknown !== undefined) throw new AppError('usage', because('no_such_state', { state: unknown }))
  return states
}

function countryOf(text: string | undefined): string | null {
  const country = text?.toUpperCase()
  if (country === undefined) return null
  if (!/^[A-Z]{2}$/.test(country)) throw new AppError('usage', because('country_two_letters'))
  return country
}

async function check(
  [named]: readonly string[],
  values: Values & { json: boolean },
  context: VerbContext
): Promise<number> {
  const path = resolve(named ?? (await addressFileOf(verbFolder(values.data, context))))
  if (!existsSync(path)) throw new AppError('missing', because('no_address_file_yet', { path }))
  const [{ openReadOnlyDatabase }, { inspectAddresses }] = await Promise.all([
    import('../platform/database/database-read-only.ts'),
    import('../knowledge/addresses/inspect.ts')
  ])
  const db = await openReadOnlyDatabase(path)
  const found = inspectAddresses(db, path)
  db.close()
  if ('code' in found) throw new AppError('bad-input', because('of_file', { file: path, said: found }))
  context.out(values.json ? `${JSON.stringify({ file: path, ...found.file })}\n` : described(path, found.file))
  return 0
}

function described(path: string, { edition, rowCount, bytes, countries, indexes, advice }: AddressFile): string {
  const lines = [
    `file       ${path}, ${mebibytes(bytes)}`,
    `edition    ${edition === 'full' ? 'full' : 'lite: without coordinates'}`,
    `addresses  ${rowCount ?? 'not known without counting'}`,
    `countries  ${countries.join(', ') || 'not known'}`,
    ...indexes.map(({ name, columns }) => `index      ${name} (${columns.join(', ')})`),
    ...advice.map(({ sql, speeds }) => `missing    ${sql};  -- ${speeds}`)
  ]
  return `${lines.join('\n')}\n`
}
