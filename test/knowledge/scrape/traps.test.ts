import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { decoded } from '../../../src/knowledge/scrape/mirror/address.ts'
import { type CrawlResult, crawlSite } from '../../../src/knowledge/scrape/mirror/crawl.ts'
import type { MirrorOptions } from '../../../src/knowledge/scrape/mirror/options.ts'
import { patternOf } from '../../../src/knowledge/scrape/mirror/patterns.ts'
import { siteGuard } from '../../../src/platform/net/site-guard.ts'
import { type RunningSite, serveSite } from './site.ts'

const guard = siteGuard({ isAllowed: (address) => address === '127.0.0.1' })

async function crawl(t: Test, site: RunningSite, patch: Partial<MirrorOptions> = {}): Promise<CrawlResult> {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-trap-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const options: MirrorOptions = {
    ...{ url: `${site.origin}/`, folder, userAgent: 'Lookout/1.0', scope: 'host', delay: 0 },
    ...{ maxPages: 150, maxBytes: 1e8, maxMinutes: 5, include: [], exclude: [], patternPercent: 25 },
    ...{ documents: false, maxDocuments: 10, maxDocumentBytes: 1e8, allowedHosts: [] },
    ...patch
  }
  const result = await crawlSite(options, { guard, onProgress: () => undefined })
  result.frontier.close()
  return result
}

const page = (title: string, body: string): string =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
const months = 'January February March April May June July August September October November December'.split(' ')
const nouns =
  'Seil Eimer Pumpe Brunnen Filter Kessel Kohle Sand Kies Rohr Ventil Dichtung Hebel Kolben Zylinder Schlauch'.split(
    ' '
  )
const link = (href: string, text = href): string => `<a href="${href}">${text}</a>`
const fetched = (site: RunningSite, path: RegExp): number => new Set(site.asked.filter((one) => path.test(one))).size

/** A hundred articles of words of their own, in lists of ten, and a calendar without end that every page leads to. */
function townSite(site: RunningSite): void {
  site.pages = { '/robots.txt': { status: 404 } }
  site.before = (path) => {
    const [, kind = '', first = '0', second = '0', third = '0'] =
      /^\/(?:(list|article|calendar)\/(\d+)(?:-(\d+))?(?:-(\d+))?)?/.exec(path) ?? []
    const [one, two, three] = [Number(first), Number(second), Number(third)]
    const foot = link('/calendar/2026-11', 'Calendar')
    if (kind === 'article')
      site.pages[path] = page(`On ${nouns[one % 16]} and ${nouns[one % 13]}${one}x`, `<p>${words(one)}</p>${foot}`)
    else if (kind === 'list')
      site.pages[path] = page(
        'List',
        Array.from({ length: 10 }, (_, n) => link(`/article/${one * 10 + n}`)).join(' ') +
          (one < 9 ? link(`/list/${one + 1}`, 'more') : '') +
          foot
      )
    else if (kind === 'calendar') {
      const next = two === 12 ? `${one + 1}-1` : `${one}-${two + 1}`
      const days = Array.from({ length: 28 }, (_, n) => link(`/calendar/${one}-${two}-${n + 1}`, String(n + 1)))
      site.pages[path] = page(
        `${months[two - 1]} ${one}`,
        three === 0 ? `${days.join(' ')} ${link(`/calendar/${next}`, 'next month')}` : `<p>No events on this day.</p>`
      )
    } else site.pages[path] = page('Town', `${link('/list/0', 'Articles')} ${foot}`)
  }
}

/** Twelve words that no other number has. */
function words(n: number): string {
  const letters = (value: number): string => [...String(value)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  return Array.from({ length: 12 }, (_, at) => `wort${letters(n)}${letters(at)}`).join(' ')
}

t.test('a calendar without end takes a part of the crawl, after all that is worth more', async (t) => {
  const site = await serveSite(t, {})
  townSite(site)
  const result = await crawl(t, site)
  const [articles, calendar] = [fetched(site, /^\/article\//), fetched(site, /^\/calendar\//)]
  t.comment(`limit 150: ${result.pages} pages, ${articles} of 100 articles, ${calendar} of the calendar`)
  t.equal(articles, 100, 'not one article is lost to it')
  t.ok(calendar <= 0.3 * 150, `${calendar} pages of the calendar`)
  t.equal(result.pages, 1 + 10 + articles + calendar)

  const whole = await serveSite(t, {})
  townSite(whole)
  const large = await crawl(t, whole, { maxPages: 1000 })
  t.equal(large.limit, null, 'a crawl that has everything ends')
  const most = 0.25 * 1000 + 3 * 29
  t.ok(fetched(whole, /^\/calendar\//) <= most, `${fetched(whole, /^\/calendar\//)} pages of two patterns that lead on`)
  t.match(
    large.capped.map(({ pattern }) => pattern.replace(/^[^/]+/, '')),
    ['/calendar/#-#-#', '/calendar/#-#']
  )

  const without = await serveSite(t, {})
  townSite(without)
  const excluded = await crawl(t, without, { exclude: ['/calendar/*'] })
  t.equal(excluded.pages, 111)
  t.equal(fetched(without, /^\/calendar\//), 0, 'what is excluded is never asked for')
  t.same(excluded.capped, [])

  const off = await serveSite(t, {})
  townSite(off)
  const greedy = await crawl(t, off, { patternPercent: 100 })
  const lost = 100 - fetched(off, /^\/article\//)
  t.comment(`without the limit: ${lost} articles lost, ${fetched(off, /^\/calendar\//)} pages of the calendar`)
  t.ok(lost > 50, 'what the rule is for')
  t.equal(greedy.limit, 'pages', '100 percent is no limit of patterns')
  const only = await serveSite(t, {})
  townSite(only)
  const included = await crawl(t, only, { include: ['/list/*'] })
  t.equal(included.pages, 11, 'the first page, and what fits')
})

t.test('an ordinary site of numbered articles is read whole, however it is linked', async (t) => {
  const numbered = async (link: 'index' | 'next' | 'pager', text: (n: number) => string, maxPages: number) => {
    const site = await serveSite(t, {})
    site.pages = { '/robots.txt': { status: 404 } }
    const all = Array.from({ length: 500 }, (_, n) => n + 1)
    const a = (href: string): string => `<a href="${href}">x</a>`
    const pager = all.slice(0, 20).map((n) => a(`/page/${n}`))
    site.before = (path) => {
      const [, kind, number = '1'] = /^\/(article|page)\/(\d+)/.exec(path) ?? []
      const n = Number(number)
      const next = n < 500 ? a(`/article/${n + 1}`) : ''
      if (kind === 'article')
        site.pages[path] = page(`Article ${n}`, `<p>${text(n)}</p>${link === 'pager' ? '' : next}`)
      else if (kind === 'page')
        site.pages[path] = page(
          'Page',
          [...all.slice(n * 25 - 25, n * 25).map((one) => a(`/article/${one}`)), ...pager].join('')
        )
      else
        site.pages[path] = page(
          'Home',
          link === 'index'
            ? all.map((one) => a(`/article/${one}`)).join('')
            : link === 'pager'
              ? pager.join('')
              : a('/article/1')
        )
    }
    const { limit, capped } = await crawl(t, site, { maxPages })
    return { articles: fetched(site, /^\/article\//), limit, capped: capped.length }
  }
  const same = (): string => 'How to build a well with a rope and a bucket.'
  const whole = { articles: 500, limit: null, capped: 0 }
  t.same(await numbered('index', same, 1000), whole, 'listed, all of one text')
  t.same(await numbered('pager', same, 1000), whole, 'in a pager that leads to all its pages, all of one text')
  t.same(await numbered('next', words, 1000), whole, 'one after the other, with words of their own')
  t.same(
    await numbered('next', same, 2000),
    whole,
    'one after the other, all of one text: within a quarter of the limit'
  )
  t.match(await numbered('next', same, 400), { articles: 100, capped: 1 }, 'beyond it nobody can tell it from a trap')
})

t.test('the pattern of an address: numbers, dates, ids and values make no difference', async (t) => {
  const of = (text: string): string => {
    const url = new URL(text, 'https://www.example.org')
    return patternOf(url, decoded(url.pathname)).replace('example.org', '')
  }
  for (const [address, pattern] of [
    ['/article/17', '/article/#'],
    ['/2026/nov/29/', '/#/#/#/'],
    ['/calendar/May-2031', '/calendar/#-#'],
    ['/März/1', '/#/#'],
    ['/maybe', '/maybe'],
    ['/s/3f2a9c1b', '/s/#'],
    ['/d/8c7e2a10-5b7d-4a51-9f0e-2f6d1f3f8a11', '/d/#'],
    ['/deadbeef', '/deadbeef'],
    ['/?b=1&a=2&b=3', '/?a=*&b=*'],
    ['/x?filter1=a', '/x?filter#=*']
  ] as const)
    t.equal(of(address), pattern, address)
})
