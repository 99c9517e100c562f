/** The part of the address bench that asks the two tables of questions: what is right, and how long a question holds the loop. */
import { findSteps } from '../src/knowledge/addresses/find.ts'
import { inspectAddresses } from '../src/knowledge/addresses/inspect.ts'
import type { AddressTable } from '../src/knowledge/addresses/table.ts'
import { openReadOnlyDatabase } from '../src/platform/database/database-read-only.ts'
import type { Asked } from '../test/knowledge/addresses/asked.ts'
import { mistake, readTable, TABLES, type Table, worldFile } from '../test/knowledge/addresses/tables.ts'
import { atLeast, atMost, median, type Row } from './bench-part.ts'

const RIGHT = 0.98
const MEDIAN_MS = 50
const HOLDS_MS = 25
/** The best of them counts: what disturbs one seldom disturbs the next. */
const PASSES = 5

export async function tableRows(folder: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const table of TABLES) rows.push(...(await rowsOfTable(folder, table)))
  return rows
}

async function rowsOfTable(folder: string, table: Table): Promise<Row[]> {
  const path = await worldFile(folder, table)
  const db = await openReadOnlyDatabase(path)
  const found = inspectAddresses(db, path)
  if ('code' in found) throw new Error(JSON.stringify(found))
  const asked = readTable(table)
  const times = asked.map((one) => timed(found.table, one))
  db.close()
  const right = times.filter((one) => one.wrong === null).length
  const name = `table of ${asked.length} questions, ${table.name}`
  for (const { q, wrong } of times) if (wrong !== null) process.stderr.write(`${table.name}: ${q}: ${wrong}\n`)
  return [
    atLeast(`${name}: right`, right / asked.length, '', RIGHT),
    atMost(`${name}: half of the lookups`, median(times.map(({ ms }) => ms)), 'ms', MEDIAN_MS),
    { what: `${name}: the slowest lookup`, value: Math.max(...times.map(({ ms }) => ms)), unit: 'ms' },
    atMost(`${name}: the longest step`, Math.max(...times.map(({ step }) => step)), 'ms', HOLDS_MS)
  ]
}

interface Timed {
  q: string
  wrong: string | null
  ms: number
  /** The longest of its steps. */
  step: number
}

/** Each step by the best of its passes: a question takes the same steps every time. */
function timed(table: AddressTable, asked: Asked): Timed {
  const best: number[] = []
  let wrong: string | null = null
  for (let pass = 0; pass < PASSES; pass++) {
    const steps = findSteps(table, { text: asked.q, country: null, limit: 10 })
    for (let at = 0; ; at++) {
      const begun = performance.now()
      const step = steps.next()
      best[at] = Math.min(best[at] ?? Number.POSITIVE_INFINITY, performance.now() - begun)
      if (step.done !== true) continue
      wrong = mistake(asked, step.value)
      break
    }
  }
  return { q: asked.q, wrong, ms: best.reduce((a, b) => a + b, 0), step: Math.max(...best) }
}
