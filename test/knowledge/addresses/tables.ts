import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AddressAnswer } from '../../../src/knowledge/addresses/address.ts'
import { cleanAddress } from '../../../src/knowledge/addresses/raw-address.ts'
import { AddressWriter } from '../../../src/knowledge/addresses/writer.ts'
import { type Asked, questionsOf } from './asked.ts'
import { makeWorld, rowsOf, type World } from './world.ts'

/** Two made-up countries with their questions. The second one's misses were never looked at while the search was written. */
export const TABLES = [
  { name: 'tuned', seed: 1 },
  { name: 'apart', seed: 2 }
] as const
export type Table = (typeof TABLES)[number]

/** Of every kind. */
const EACH = 8
/** Houses of a street: the files have 38,000 rows with it. */
const HOUSES = 11

export const worldOf = ({ seed }: Table): World => makeWorld(seed, HOUSES)

export function tablePath({ name }: Table): string {
  return fileURLToPath(new URL(`asked-${name}.tsv`, import.meta.url))
}

/** The table as the generator makes it, a question a line: kind, question, state of the answer, right first answers. */
export function tableText(table: Table): string {
  const lines = questionsOf(worldOf(table), table.seed + 100, EACH).map(({ kind, q, found, first }) =>
    [kind, q, found, [...new Set(first)].join(' | ')].join('\t')
  )
  return `${lines.join('\n')}\n`
}

export function readTable(table: Table): Asked[] {
  return readFileSync(tablePath(table), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [kind = '', q = '', found = '', first = ''] = line.split('\t')
      return { kind, q, found, first: first === '' ? [] : first.split(' | ') }
    })
}

/** The file of the table's country, as the importer writes it. */
export async function worldFile(folder: string, table: Table): Promise<string> {
  const path = join(folder, `${table.name}.sqlite`)
  const writer = await AddressWriter.create(path)
  for (const raw of rowsOf(worldOf(table))) {
    const row = cleanAddress(raw, { states: [], country: null })
    if (typeof row === 'string') throw new Error(`${row}: ${JSON.stringify(raw)}`)
    writer.add(row)
  }
  writer.finish('2026-07-01T12:00:00Z')
  writer.close()
  return path
}

/** Says why an answer is wrong; null = it is right. */
export function mistake({ found, first }: Asked, { found: said, results }: AddressAnswer): string | null {
  if (said !== found) return `${said} instead of ${found}`
  const called = results.find(({ match }) => ['house', 'near_house', 'street', 'place'].includes(match))
  if (first.length === 0)
    return called === undefined ? null : `${called.number} ${called.street} stands there as a match`
  const [best] = results
  if (best === undefined) return 'nothing is listed'
  const { number, street, street2, city, state } = best
  const lines = [`${number} ${street}, ${city} ${state}`, `${number} ${street} ${street2}, ${city} ${state}`]
  const right = first.some((one) =>
    lines.some((line) => (one.startsWith('*') ? line.endsWith(one.slice(1)) : line === one))
  )
  return right ? null : `${lines[1]} instead of ${first[0]}`
}
