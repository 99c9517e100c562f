import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { scraperSchema } from '../knowledge/library/settings.ts'
import { type EngineReport, Engines } from '../knowledge/scrape/engine.ts'
import { installImage } from '../knowledge/scrape/install-image.ts'
import { because, type Reason } from '../model/reason.ts'
import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { AppError } from '../platform/errors.ts'
import { ConfigFile, readAtStart } from '../settings/adapter.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout archiver [--data DIR] [--json]
       lookout archiver install FILE [--data DIR]

What web sites are archived with on this machine, and what is missing for more.
  install FILE  load the archiver's image from a file, without the Internet, with docker or podman;
                on another machine: docker pull IMAGE && docker save --output FILE IMAGE
  --json        the report for machines

The image is the one of the configuration (scraper.image). A running station notices within half a minute.
exit codes: 0 done · 1 failed · 2 usage, or not that image · 4 nothing to archive with, or no such file
`

/** `lookout archiver`: the capability report, and installing the image offline (contract §9, §12). */
export async function archiver(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  const [action, file, ...more] = positionals
  if (more.length > 0 || (action !== undefined && action !== 'install'))
    throw new AppError('usage', because('archiver_action_unknown', { action: positionals.join(' ') }))
  const image = await imageOf(resolve(verbFolder(values.data, context)))
  const path = context.env['PATH'] ?? ''
  const engines = new Engines({ image: () => image, now: () => 0, path })
  if (action === 'install') return install(file, { image, engines }, context)
  const report = await engines.report()
  context.out(values.json ? `${JSON.stringify(report, null, 2)}\n` : readable(report, context.language))
  return report.chosen === null ? 4 : 0
}

async function install(
  file: string | undefined,
  { image, engines }: { image: string; engines: Engines },
  context: VerbContext
): Promise<number> {
  if (file === undefined) throw new AppError('usage', because('archiver_names_file'))
  context.err(`loading ${file}; this may take minutes\n`)
  const { engine, id } = await installImage(file, { image, clients: engines.installed() })
  context.out(`${image} is loaded into ${engine} (${id.replace(/^sha256:/, '').slice(0, 12)})\n`)
  engines.forget()
  const report = await engines.report()
  if (report.chosen !== 'container') context.err(readable(report, context.language))
  return 0
}

function readable({ chosen, label, container, builtIn }: EngineReport, language: Language): string {
  const allOf = (causes: readonly Reason[]): string => sentenceOf(because('all_of', { causes }), language)
  const line = (name: string, usable: boolean, told: string): string =>
    `${usable ? 'yes' : 'no '}  ${name.padEnd(11)} ${told}\n`
  const engine = container.engine === null ? '' : `${container.engine}, `
  return [
    chosen === null
      ? `${sentenceOf(label, language)}\n`
      : `sites are archived by: ${chosen} (${sentenceOf(label, language)})\n`,
    line('container', container.usable, container.usable ? `${engine}${container.image}` : allOf(container.missing)),
    line('built-in', builtIn.usable, builtIn.usable ? 'zimwriterfs' : allOf(builtIn.missing))
  ].join('')
}

/** As saved; the default where nothing, or nothing usable, is saved. */
async function imageOf(dataFolder: string): Promise<string> {
  const { good } = await readAtStart(new ConfigFile(join(dataFolder, 'config.json'))).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'config-refused') return { good: null }
    throw error
  })
  return (good?.judged.config.scraper ?? v.parse(scraperSchema, {})).image
}
