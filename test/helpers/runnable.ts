import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The folder to which `npm test` compiled the sources; without it a file runs from its source. */
const COMPILED = process.env['LOOKOUT_COMPILED'] ?? ''

/** The way Node runs or imports a module of this repository in a process of its own. */
export interface Runnable {
  /** Flags of Node that its code needs. */
  flags: string[]
  file: string
}

/** The runnable form of a source file, named from the root of the repository; scripts/compile-tests.js knows which are compiled. */
export function runnable(source: string): Runnable {
  if (COMPILED !== '') return { flags: [], file: join(COMPILED, source.replace(/\.ts$/, '.js')) }
  return { flags: [`--import=${import.meta.resolve('tsx')}`], file: join(ROOT, source) }
}
