import t from 'tap'
import { waitOf } from '../../../src/knowledge/jobs/waits.ts'
import { because } from '../../../src/model/reason.ts'
import { AppError } from '../../../src/platform/errors.ts'

/** Failures that no file is to blame for, docs/interface.md §8: the job waits, and goes on by itself. */

t.test(
  'a job waits a minute for the disk, five for what cannot be started now, an hour for a program that is missing',
  (t) => {
    const said = because('note', { text: 'it does not answer' })
    t.equal(waitOf(Object.assign(new Error('no room'), { code: 'ENOSPC' })), 60_000)
    t.equal(waitOf(new AppError('unavailable', because('sandbox_away', { said }))), 5 * 60_000)
    t.equal(waitOf(new AppError('missing', said)), 60 * 60_000)
    t.end()
  }
)

t.test('for what may be the fault of the file no job waits', (t) => {
  const said = because('note', { text: 'it is no book' })
  for (const code of ['bad-input', 'invalid', 'timeout', 'too-large'] as const)
    t.equal(waitOf(new AppError(code, said)), null)
  t.equal(waitOf(new Error('a fault of ours')), null)
  t.end()
})
