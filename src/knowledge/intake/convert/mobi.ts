import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { filesIn, type Run } from './convert-tools.ts'
import { CHILD_LIMITS } from './limits.ts'

/** The content of a Kindle file. */
export type Unpacked = { kind: 'epub' | 'html'; path: string }

/**
 * Unpacks .mobi and .azw3 by `mobitool`: as an EPUB, else its pages as one HTML file.
 * @throws AppError `invalid` locked (DRM), `bad-input` damaged
 */
export async function unpackMobi(run: Run, source: string): Promise<Unpacked> {
  const out = join(run.folder, 'mobi')
  await mkdir(out, { recursive: true })
  await mobitool(run, source, ['-e', '-o', out, source])
  const [epub] = await filesIn(out, ['.epub'])
  if (epub !== undefined) return { kind: 'epub', path: epub }
  await mobitool(run, source, ['-s', '-o', out, source])
  const pages = await filesIn(out, ['.html', '.xhtml'])
  if (pages.length === 0) throw new AppError('bad-input', because('mobi_nothing_found'))
  const path = join(run.folder, 'mobi.html')
  for (const page of pages) await writeFile(path, await readFile(page), { flag: 'a' })
  return { kind: 'html', path }
}

async function mobitool(run: Run, source: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run.tools.run({
    command: 'mobitool',
    args,
    cwd: run.folder,
    reads: [source],
    limits: {
      timeMs: CHILD_LIMITS.toolMs,
      memoryBytes: CHILD_LIMITS.toolMemoryBytes,
      outputBytes: 4 * 1024 * 1024,
      folderBytes: { folder: run.folder, bytes: CHILD_LIMITS.folderBytes }
    },
    ...(run.signal === undefined ? {} : { signal: run.signal })
  })
  if (code !== 0 && /document is encrypted/i.test(`${stdout.toString('utf8')}\n${stderr}`)) {
    throw new AppError('invalid', because('book_locked'))
  }
}
