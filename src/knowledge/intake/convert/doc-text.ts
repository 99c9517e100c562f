import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textLength, visibleText } from './block.ts'
import type { Run } from './convert-tools.ts'
import { CHILD_LIMITS } from './limits.ts'

/** The text of a .doc file as `catdoc` reads it, every paragraph on one line. */
export async function docText(run: Run, source: string): Promise<{ path: string; textLength: number }> {
  const { stdout } = await run.tools.run({
    command: 'catdoc',
    args: ['-d', 'utf-8', '-w', source],
    cwd: run.folder,
    limits: {
      timeMs: CHILD_LIMITS.toolMs,
      memoryBytes: CHILD_LIMITS.toolMemoryBytes,
      outputBytes: CHILD_LIMITS.textBytes
    },
    ...(run.signal === undefined ? {} : { signal: run.signal })
  })
  const path = join(run.folder, 'doc.txt')
  await writeFile(path, stdout)
  return { path, textLength: textLength(visibleText(stdout.toString('utf8'))) }
}
