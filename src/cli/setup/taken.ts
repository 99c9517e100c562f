import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { JsonValue } from '../../platform/config/json.ts'
import { errorCode, writeFileAtomic } from '../../platform/files/atomic-file.ts'

const FILE = 'setup.json'
const json: v.GenericSchema<JsonValue> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)])
)
const schema = v.object({ taken: v.record(v.string(), v.object({ asked: v.string(), made: json })) })

/** The parts taken from the set-up file: as it was asked, and what it made of the settings. */
export type Taken = v.InferOutput<typeof schema>['taken']

/**
 * Of the data folder. A file that is none counts as empty: then what is set stays as it is, and nothing is lost by it.
 * Rejects as the disk does.
 */
export async function readTaken(dataFolder: string): Promise<Taken> {
  try {
    return v.parse(schema, JSON.parse(await readFile(join(dataFolder, FILE), 'utf8'))).taken
  } catch (error) {
    if (error instanceof v.ValiError || error instanceof SyntaxError || errorCode(error) === 'ENOENT') return {}
    throw error
  }
}

/** @throws AppError `no-space`, `unavailable`. */
export async function writeTaken(dataFolder: string, taken: Taken): Promise<void> {
  await writeFileAtomic(join(dataFolder, FILE), `${JSON.stringify({ taken }, null, 2)}\n`)
}
