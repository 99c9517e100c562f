import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ZimReader } from '../../../src/knowledge/library/zim.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { inWords } from '../../helpers/in-words.ts'
import { noSmallDisk, smallDisk } from '../../helpers/small-disk.ts'
import { ended, scrapeSetup } from './setup.ts'
import { type Site, serveSite } from './site.ts'

/** Contract §6: a real crawl on a real disk that fills up in its middle, although there was room when it began. */

const KIB = 1024
const missing = findProgram('zimwriterfs') === null ? 'zimwriterfs is not installed' : null

/** Pages of words that nothing packs together. */
function largeSite(pages: number): Site {
  const body = (n: number): string =>
    Array.from({ length: 4000 }, (_, k) => Math.imul(n * 4001 + k, 2_654_435_761).toString(36)).join(' ')
  const numbers = Array.from({ length: pages }, (_, n) => n + 1)
  const links = numbers.map((n) => `<a href="/${n}">Well ${n}</a>`).join(' ')
  const page = (title: string, inner: string): string =>
    `<!DOCTYPE html><html><head><title>${title}</title></head><body>${inner}</body></html>`
  return Object.fromEntries([
    ['/', page('Wells', links)],
    ...numbers.map((n) => [`/${n}`, page(`Well ${n}`, `<h1>Well ${n}</h1><p>${body(n)}</p>`)])
  ])
}

t.test(
  'a crawl that finds the disk full says so, keeps what it has, and is whole once there is room',
  { skip: noSmallDisk ?? missing ?? false },
  async (t) => {
    const disk = smallDisk(t, 24)
    const folder = join(disk.path, 'data')
    mkdirSync(folder)
    const it = await scrapeSetup(t, { image: false, folder })
    const site = await serveSite(t, largeSite(40))
    let answers = 0
    site.before = () => {
      if (++answers === 15) disk.fill(20 * KIB)
    }
    const job = it.submit(`${site.origin}/`, { title: 'Wells', delay: 0 })
    const worker = it.worker()
    worker.runner.start()
    const stopped = await it.until(
      job.id,
      (now) => ended(now) || /space|full/i.test(String(inWords(now.message))),
      'the full disk'
    )
    t.match(inWords(stopped.message), /full|space/i, 'the reason stands with the job')
    t.not(stopped.status, 'completed')
    t.same(
      it.files().filter((name) => name.endsWith('.zim')),
      [],
      'half an archive is none'
    )
    disk.empty()
    if (stopped.status === 'failed') it.store.retry(job.id)
    else it.retryNow(job.id)
    const done = await it.until(job.id, ended, 'the end')
    t.match(done, { status: 'completed', pageCount: 41 }, String(inWords(done.message)))
    t.same(it.files(), [done.archive])
    const reader = ZimReader.open(join(it.zimFolder, done.archive ?? ''))
    t.equal(await reader.metadata('Title'), 'Wells')
    reader.close()
    await worker.stop()
  }
)
