import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as v from 'valibot'
import { because } from '../model/reason.ts'
import { parseWith } from '../platform/config/issues.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { judgeConfig, problemText } from '../settings/document.ts'
import type { Config } from '../settings/schema.ts'

/** The content of a file that was named. @throws AppError `missing` naming it. */
export async function readNamed(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new AppError('missing', because('cannot_read_file', { file, said: errorText(error) }), { cause: error })
  }
}

/** The JSON value of a named file. @throws AppError `missing`, or `config-refused` when it is not JSON. */
export async function readJsonNamed(file: string): Promise<unknown> {
  const content = await readNamed(file)
  try {
    return JSON.parse(content.toString('utf8'))
  } catch (error) {
    throw new AppError('config-refused', because('file_is_not_json', { file, said: errorText(error) }), {
      cause: error
    })
  }
}

/** `value` as the schema understands it. @throws AppError `config-refused` with every refused place. */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  file: string
): v.InferOutput<Schema> {
  try {
    return parseWith(schema, value, file)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('config-refused', error.reason, { cause: error, issues: error.issues })
  }
}

/** The configuration in a named file. @throws AppError `missing`, or `config-refused` with line, column and pointer. */
export async function readConfigNamed(file: string): Promise<Config> {
  return configIn(await readNamed(file), file)
}

/** The configuration of a data folder, or all defaults when there is none. @throws AppError `config-refused`. */
export async function readConfigIfAny(file: string): Promise<Config> {
  try {
    return configIn(await readFile(file), file)
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (absent) return configIn(Buffer.from('{}'), file)
    if (error instanceof AppError) throw error
    throw new AppError('missing', because('cannot_read_file', { file, said: errorText(error) }), { cause: error })
  }
}

function configIn(content: Uint8Array, file: string): Config {
  const judged = judgeConfig(content, file)
  if (judged.ok) return judged.config
  throw new AppError('config-refused', because('note', { text: judged.problems.map(problemText).join('\n  ') }))
}

/** A folder of one's own for a while. It goes when `remove` is called, or with the process when that ends early (`| head`). */
export async function temporaryFolder(prefix: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  const atExit = (): void => rmSync(path, { recursive: true, force: true })
  process.once('exit', atExit)
  return {
    path,
    remove: async () => {
      process.removeListener('exit', atExit)
      await rm(path, { recursive: true, force: true })
    }
  }
}
