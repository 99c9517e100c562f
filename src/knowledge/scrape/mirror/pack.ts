import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { exitReason } from '../../../platform/process/exit.ts'
import { runBounded } from '../../../platform/process/run.ts'
import { hostKey } from './address.ts'
import { siteIcon } from './icon.ts'

const MIB = 1024 * 1024
const ICON = 'lookout-icon-48.png'
const PACK_MS = 6 * 3_600_000
const TITLE_LENGTH = 30
const DESCRIPTION_LENGTH = 80
/** Below this the index of words is left out: making it took 379 MB. Bytes. */
const MEMORY_FOR_INDEX = 3_000_000_000

export interface Packing {
  folder: string
  url: string
  title: string
  /** ISO 639-3. */
  language: string
  /** The first page's file in the folder `site`. */
  welcome: string
  /** `Lookout 0.1.0`. */
  scraper: string
  memoryBytes: number
  signal: AbortSignal
}

/** Makes the archive of the copy with zimwriterfs (zim-tools 3.1). Answers its path. @throws AppError. */
export async function packSite(packing: Packing): Promise<string> {
  const { folder, url, title, language, welcome, scraper, memoryBytes, signal } = packing
  const [site, output] = [join(folder, 'site'), join(folder, 'archive.zim')]
  const host = hostKey(new URL(url))
  await rm(output, { force: true })
  await writeFile(join(site, ICON), siteIcon(host))
  const told: [string, string][] = [
    ['welcome', welcome],
    ['illustration', ICON],
    ['language', language],
    ['title', clipped(title, TITLE_LENGTH)],
    ['description', clipped(`A copy of the static pages of ${host}`, DESCRIPTION_LENGTH)],
    ['creator', host],
    ['publisher', 'Lookout'],
    ['name', `${host.replace(/[^a-z0-9.-]/gi, '_')}_${language.split(',')[0]}`],
    ['source', url],
    ['scraper', scraper]
  ]
  const {
    code,
    signal: ended,
    stderr,
    stdout
  } = await runBounded({
    command: 'zimwriterfs',
    args: [
      ...told.map(([name, value]) => `--${name}=${value}`),
      ...['--threads=2', ...(memoryBytes < MEMORY_FOR_INDEX ? ['--withoutFTIndex'] : [])],
      ...[site, output]
    ],
    cwd: folder,
    limits: { timeMs: PACK_MS, memoryBytes: Math.round(memoryBytes / 2), outputBytes: 16 * MIB },
    signal
  })
  if (code === 0) return output
  const said = `${stdout.toString('utf8')}\n${stderr}`.trim().split('\n').at(-1) ?? ''
  throw new AppError(
    'invalid',
    because('zimwriterfs_failed', { how: exitReason(code, ended), said: said.slice(0, 300) })
  )
}

function clipped(text: string, length: number): string {
  const letters = [...text]
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join('')}…`
}
