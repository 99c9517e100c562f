import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = process.env['LOOKOUT_FIXTURES'] ?? resolve(import.meta.dirname, '../../../shared/fixtures')

/** The absolute path of a recording, or null when the recordings are not beside the repository. */
export function fixture(path: string): string | null {
  const file = join(root, path)
  return existsSync(file) ? file : null
}

/** As `fixture`, and says so in the test's output when it is absent. */
export function needsFixture(t: { comment(text: string): void }, path: string): string | null {
  const file = fixture(path)
  if (file === null) t.comment(`skipped: fixture ${path} not present`)
  return file
}
