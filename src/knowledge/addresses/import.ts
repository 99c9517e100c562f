import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { because } from '../../model/reason.ts'
import type { Row } from '../../platform/database/database.ts'
import { openReadOnlyDatabase } from '../../platform/database/database-read-only.ts'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { errorCode, placeFile, removeLeftovers } from '../../platform/files/atomic-file.ts'
import { readerFor } from './csv-columns.ts'
import { inspectAddresses, MANIFEST } from './inspect.ts'
import { cleanAddress, FIELDS, type RawAddress, type RowRules } from './raw-address.ts'
import { AddressWriter } from './writer.ts'

export interface ImportOptions extends RowRules {
  /** CSV files, also with `.gz`; `.tsv` is separated by tabs. */
  files: readonly string[]
  /** An address file to copy from; null = none. */
  from: string | null
  out: string
  now: number
  /** Told now and then: rows so far, or the step that begins. */
  onProgress: (progress: { rows: number; read: number; step: string }) => void
}

export interface Imported {
  rows: number
  duplicates: number
  bytes: number
  /** Rows that were left out, by reason. */
  leftOut: Map<string, number>
}

/** Lines between two reports. */
const REPORT_EVERY = 100_000
/** No line of an address is longer; more is a file without line ends. */
const MOST_LINE = 100_000

/**
 * Builds an address file and puts it in its place in one step: until then the old one stays, and a failure leaves it.
 * @throws AppError `missing` (no such file), `bad-input` (columns), `conflict` (the place holds a file that was not made
 * here), `no-space`.
 */
export async function importAddresses(options: ImportOptions): Promise<Imported> {
  const { out, now } = options
  await mkdir(dirname(out), { recursive: true })
  await refuseForeign(out)
  await removeLeftovers(out, now)
  const temporary = join(dirname(out), `.${basename(out)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const done = await build(temporary, options)
    await placeFile(temporary, out)
    return { ...done, bytes: (await stat(out)).size }
  } catch (error) {
    for (const part of ['', '-journal', '-wal', '-shm']) await rm(`${temporary}${part}`, { force: true })
    if (storageFaultOf(error) === 'full')
      throw new AppError('no-space', because('no_space_to_write', { path: out }), { cause: error })
    throw error
  }
}

/** A file of tens of gigabytes that somebody fetched is not to be lost to a default. */
async function refuseForeign(out: string): Promise<void> {
  if ((await stat(out).catch(ignoreAbsent)) === null) return
  const db = await openReadOnlyDatabase(out)
  const made = db.sql('SELECT 1 FROM sqlite_schema WHERE name = ?').get(MANIFEST)
  db.close()
  if (made === undefined) throw new AppError('conflict', because('addresses_not_ours', { file: out }))
}

function ignoreAbsent(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}

async function build(temporary: string, options: ImportOptions): Promise<Omit<Imported, 'bytes'>> {
  const { files, from, now, onProgress } = options
  const leftOut = new Map<string, number>()
  const writer = await AddressWriter.create(temporary)
  try {
    let read = 0
    const take = (raw: RawAddress | string): void => {
      const row = typeof raw === 'string' ? raw : cleanAddress(raw, options)
      if (typeof row === 'string') leftOut.set(row, (leftOut.get(row) ?? 0) + 1)
      else writer.add(row)
      read++
      if (read % REPORT_EVERY === 0) onProgress({ rows: writer.rows, read, step: 'rows' })
    }
    for (const file of files) await readCsv(file, take)
    if (from !== null) await readAddressFile(from, options.states, take)
    const done = writer.finish(new Date(now).toISOString(), (step) => onProgress({ rows: writer.rows, read, step }))
    if (done.rows === 0) throw new AppError('bad-input', because('addresses_no_row', { why: reasons(leftOut) }))
    return { ...done, leftOut }
  } finally {
    writer.close()
  }
}

function reasons(leftOut: ReadonlyMap<string, number>): string {
  const list = [...leftOut].map(([reason, count]) => `${reason} (${count})`).join(', ')
  return list === '' ? '' : `: ${list}`
}

/** Reads a table of addresses, a row or what is wrong with it at a time. @throws AppError `missing`, `bad-input`. */
export async function readCsv(file: string, take: (raw: RawAddress | string) => void): Promise<void> {
  const { parse } = await import('csv-parse')
  const parser = parse({
    bom: true,
    delimiter: /\.tsv(?:\.gz)?$/i.test(file) ? '\t' : ',',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MOST_LINE
  })
  parser.on('skip', () => take('an unreadable line'))
  const source = bytesOf(file)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let read: ((line: readonly string[]) => RawAddress) | null = null
  try {
    for await (const line of parser as AsyncIterable<string[]>) {
      if (read === null) read = readerFor(line)
      else take(read(line))
    }
  } catch (error) {
    throw explained(error, file)
  } finally {
    source.destroy()
  }
  if (read === null) throw new AppError('bad-input', because('file_empty', { file }))
}

function bytesOf(file: string): Readable {
  const raw = createReadStream(file)
  if (!/\.gz$/i.test(file)) return raw
  const plain = createGunzip()
  raw.on('error', (error) => plain.destroy(error))
  return raw.pipe(plain)
}

function explained(error: unknown, file: string): unknown {
  if (errorCode(error) === 'ENOENT') return new AppError('missing', because('no_such_file', { file }), { cause: error })
  if (error instanceof AppError)
    return new AppError(error.code, because('of_file', { file, said: error.reason }), { cause: error })
  if (/^(?:CSV_|Z_|ERR_)/.test(errorCode(error)))
    return new AppError('bad-input', because('file_unreadable', { file, said: reasonOf(error) }), { cause: error })
  return error
}

/** Copies from another address file; of some states by its index, where it has one. */
async function readAddressFile(
  path: string,
  states: readonly string[],
  take: (raw: RawAddress) => void
): Promise<void> {
  if ((await stat(path).catch(ignoreAbsent)) === null)
    throw new AppError('missing', because('no_such_file', { file: path }))
  const db = await openReadOnlyDatabase(path)
  try {
    const found = inspectAddresses(db, path)
    if ('code' in found) throw new AppError('bad-input', because('of_file', { file: path, said: found }))
    const where = states.length === 0 ? '' : ` WHERE state IN (${states.map(() => '?').join(', ')})`
    for (const row of db.sql(`SELECT * FROM addresses${where}`).iterate(...states)) take(rawOf(row))
  } finally {
    db.close()
  }
}

function rawOf(row: Row): RawAddress {
  return Object.fromEntries(FIELDS.map((field) => [field, String(row[field] ?? '')])) as RawAddress
}
