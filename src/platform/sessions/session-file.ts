import { readFile, rename } from 'node:fs/promises'
import { basename } from 'node:path'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { parseWith } from '../config/issues.ts'
import { readJson } from '../config/locate.ts'
import { looseObject } from '../config/object.ts'
import { AppError, errorText } from '../errors.ts'
import { errorCode, writeFileAtomic } from '../files/atomic-file.ts'
import { secretHashSchema } from './secret-hash.ts'

const MODE = 0o600

const time = v.pipe(
  v.string(),
  v.check((text) => Number.isFinite(Date.parse(text)), 'a time is RFC 3339')
)
const sessionSchema = looseObject({
  /** SHA-256 of the 256 random bits in the cookie: those need no slow hash. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a hash is 64 hex digits')),
  created_at: time,
  seen_at: time
})
const fileSchema = looseObject({
  /** Of the code that lets somebody choose the first passphrase; null once that is done. */
  claim: v.optional(v.nullable(secretHashSchema), null),
  passphrase: v.optional(v.nullable(secretHashSchema), null),
  sessions: v.optional(v.array(sessionSchema), []),
  /** Addresses that somebody has signed in from, the newest first: a guest who guesses does not hold them up. */
  addresses: v.optional(v.array(v.string()), [])
})

export type SessionRecord = v.InferOutput<typeof sessionSchema>
export type SessionFile = v.InferOutput<typeof fileSchema>

export const NOTHING: SessionFile = { claim: null, passphrase: null, sessions: [], addresses: [] }

/** The content of the file; nothing when there is none. @throws AppError `unavailable` when it cannot be understood. */
export async function readSessionFile(path: string): Promise<SessionFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return NOTHING
    throw unusable(path, errorText(error))
  }
  const json = readJson(text)
  if (!json.ok) throw unusable(path, `line ${json.place.line}: ${json.message}`)
  try {
    return parseWith(fileSchema, json.value, 'the file')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw unusable(path, error.message)
  }
}

/** Replaces the file in one step, readable by its owner only. @throws AppError `no-space`, `unavailable`. */
export async function writeSessionFile(path: string, file: SessionFile): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`, { mode: MODE })
}

/** A file that cannot be understood is kept beside, so that whoever broke it can look at it. */
export async function setAside(path: string): Promise<void> {
  await rename(path, `${path}.bad`)
}

/** Without the folder: pages show this, and where the data lies is nobody's business on the network. */
function unusable(path: string, why: string): AppError {
  const detail = why.replaceAll(path, basename(path))
  return new AppError('unavailable', because('session_file_unusable', { file: basename(path), said: detail }))
}
