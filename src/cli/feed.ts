import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { parseTime } from '../model/time.ts'
import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { parseWith } from '../platform/config/issues.ts'
import { AppError } from '../platform/errors.ts'
import type { Config } from '../settings/schema.ts'
import { KNOWN_KINDS, type SourceConfig, sourceName, sourceSchema } from '../warning/feeds/settings.ts'
import { verbFolder } from './data-folder.ts'
import { readConfigIfAny, readConfigNamed, readNamed } from './files.ts'
import type { LookedAt, VerbContext } from './verb.ts'

const HELP = `usage: lookout feed NAME [--file FILE] [--config FILE] [--data DIR] [--at TIME]

Shows what a source says, as the events it would hand on. Nothing is stored, nothing is sent.
  NAME           a configured source, or a kind with its defaults: ${KNOWN_KINDS.map(({ kind }) => kind).join(', ')}
  --file FILE    a recorded answer (default: asks the provider, once, by its rules)
  --config FILE  whose settings count (default: those of the data folder)
  --at TIME      when FILE is taken to have arrived, RFC 3339 (default: now)

stdout: an event a line
stderr: how many there were, and what was skipped, with reasons
exit codes: 0 done · 1 no answer · 2 usage, or not what this source publishes · 3 configuration refused, or it may not be asked · 4 a file is missing
`

/** `lookout feed`: one look at a source. */
export async function feed(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      config: { type: 'string' },
      data: { type: 'string' },
      at: { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const [name, ...others] = positionals
  if (name === undefined || others.length > 0) throw new AppError('usage', because('feed_names_source'))
  const at = values.at === undefined ? Date.now() : parseTime(values.at)
  if (at === null) throw new AppError('usage', because('at_is_time'))
  const config =
    values.config === undefined
      ? await readConfigIfAny(join(verbFolder(values.data, context), 'config.json'))
      : await readConfigNamed(values.config)
  const settings = settingsOf(name, config)
  const look =
    values.file === undefined
      ? await pollPolitely(context, { settings, config })
      : await context.readSource(await readNamed(values.file), { settings, config, at })
  for (const event of look.events) context.out(`${JSON.stringify(event)}\n`)
  context.err(summaryOf(name, look, context.language))
  return 0
}

/** A refusal by the provider's rules is the configuration's fault. */
async function pollPolitely(
  context: VerbContext,
  options: { settings: SourceConfig; config: Config }
): Promise<LookedAt> {
  try {
    return await context.pollSource({ ...options, version: context.version })
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      throw new AppError('config-refused', error.reason, { cause: error })
    throw error
  }
}

function settingsOf(name: string, { sources }: Config): SourceConfig {
  const configured = sources.find((source) => sourceName(source) === name)
  if (configured !== undefined) return configured
  if (!KNOWN_KINDS.some(({ kind }) => kind === name)) {
    const names = [...new Set([...sources.map(sourceName), ...KNOWN_KINDS.map(({ kind }) => kind)])]
    throw new AppError('usage', because('feed_no_such_source', { source: name, names }))
  }
  try {
    return parseWith(sourceSchema, { kind: name }, `${name} without settings`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('config-refused', because('put_into_sources', { why: error.reason }), {
      cause: error
    })
  }
}

const MOST_LINES = 200

function summaryOf(name: string, { events, skipped, items, updated }: LookedAt, language: Language): string {
  const made = updated === null ? '' : `, made at ${updated}`
  const lines = skipped
    .slice(0, MOST_LINES)
    .map(({ id, reason }) => `skipped ${id || '(no id)'}: ${sentenceOf(reason, language)}`)
  if (skipped.length > MOST_LINES) lines.push(`… and ${skipped.length - MOST_LINES} more skipped`)
  return [...lines, `${name}: ${items} listed, ${events.length} events, ${skipped.length} skipped${made}`, ''].join(
    '\n'
  )
}
