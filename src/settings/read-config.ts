import { join, resolve } from 'node:path'
import { parseWith } from '../platform/config/issues.ts'
import { ConfigFile, readAtStart } from './adapter.ts'
import type { ConfigProblem } from './document.ts'
import { type Config, configSchema } from './schema.ts'
import { CONFIG_FILE } from './store.ts'

export interface ReadConfig {
  config: Config
  /** Why the backup counts in place of the file; null when the file itself counts, or nothing is there and the defaults do. */
  problem: ConfigProblem | null
}

/**
 * The configuration that a start on this data folder would run by. `ConfigStore` makes the folder and clears away what a crash left;
 * whoever only looks must change nothing. @throws AppError `config-refused` when neither the file nor its backup can be used.
 */
export async function readConfig(folder: string): Promise<ReadConfig> {
  const { good, problem } = await readAtStart(new ConfigFile(join(resolve(folder), CONFIG_FILE)))
  return { config: good?.judged.config ?? parseWith(configSchema, {}, 'the empty configuration'), problem }
}
