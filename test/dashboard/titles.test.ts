import t from 'tap'
import { costOfTitles, oddTitles, WORST } from '../helpers/odd-titles.ts'

/** 50 ms of a main thread on which the plain page takes 3.5. */
const MOST = 14

t.test(
  'whatever titles documents have, no page that shows them costs more than some plain pages, in any language',
  async (t) => {
    const titles = oddTitles(300, 1)
    t.equal(titles[0], WORST)
    t.equal(new Set(titles).size > 280, true, 'they differ')
    const { plain, dearest, asked } = await costOfTitles(t, titles)
    t.ok(asked > 500, `${asked} pages asked`)
    for (const { path, title, ms } of dearest)
      t.ok(ms <= MOST * plain, `${path}: ${(ms / plain).toFixed(1)} plain pages, ${JSON.stringify(title.slice(0, 60))}`)
  }
)
