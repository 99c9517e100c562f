/// <reference lib="dom" />
import t from 'tap'
import { launch, queue, station } from '../dashboard/harness.ts'
import { closeBrowser, openPage } from './harness.ts'

t.teardown(closeBrowser)

/** Words of strangers, judged by a real browser: whatever runs leaves its mark, whether a policy would have stopped it or not. */

const MARK = 'globalThis.ran=(globalThis.ran||0)+1'
const WORDS = [
  `<script>${MARK}</script>`,
  `</script><script>${MARK}</script>`,
  `"><img src=x onerror="${MARK}">`,
  `<svg/onload=${MARK}>`,
  `<b onmouseover=${MARK}>b</b>`,
  `javascript:${MARK}`,
  `{{constructor.constructor('${MARK}')()}}`,
  `\u202e<details open ontoggle=${MARK}>`,
  `<iframe srcdoc="<script>parent.${MARK.replaceAll('globalThis', 'parent')}</script>"></iframe>`
]
const PAGES = ['/', '/alerts', '/events', '/deliveries', '/sources', '/mesh-a/routing', '/settings?q=%3Cscript%3E']

t.test('no word of a stranger runs in a browser, or becomes an element', async (t) => {
  const s = await station(t)
  for (const [n, words] of WORDS.entries()) {
    const event = { id: `s${n}${words}`, source: 'strange', family: 'fire', severity: 'critical', title: words }
    await s.ask({
      path: '/api/events',
      body: {
        ...event,
        body: words,
        url: words,
        regions: [words],
        data: { [words]: words },
        sent_at: '2026-07-01T11:55:00Z'
      }
    })
    launch(s.outbox, queue(s, n + 1), words)
  }
  const ids = WORDS.map((words, n) => `/events/${encodeURIComponent(`s${n}${words}`)}`)
  const control = await openPage(t, { base: s.service.url })
  if (control === null) return
  await control.page.goto(`${s.service.url}/alerts`)
  await control.page.evaluate(MARK)
  t.equal(await control.page.evaluate('globalThis.ran'), 1, 'a script that runs leaves its mark')
  for (const path of [...PAGES, ...ids]) {
    const watched = await openPage(t, { base: s.service.url })
    if (watched === null) return
    const { page } = watched
    page.on('dialog', (dialog) => void dialog.dismiss())
    const blocked: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) blocked.push(message.text())
    })
    await page.goto(`${s.service.url}${path}`, { waitUntil: 'load' })
    t.equal(await page.evaluate('globalThis.ran ?? 0'), 0, `${path} runs nothing`)
    t.strictSame(blocked, [], `${path} needed no policy to stop it`)
    const made = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          'img[onerror], svg[onload], [onmouseover], [ontoggle], iframe[srcdoc], a[href^="javascript:" i]'
        )
      ].map((element) => element.outerHTML.slice(0, 100))
    )
    t.strictSame(made, [], `${path} makes no element of it`)
    if (path === '/events' || path === '/deliveries')
      t.match(
        await page.evaluate(() => document.body.textContent),
        '<svg/onload=',
        `${path} shows the words as they are`
      )
    await page.close()
  }
})
