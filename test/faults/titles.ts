import { parseArgs } from 'node:util'
import t from 'tap'
import { costOfTitles, oddTitles } from '../helpers/odd-titles.ts'

const HELP = `usage: titles [--seed N] [--count N]

Random titles, and the one that once froze a page, on every page that shows titles of documents, in every language: none may cost
50 ms of the processor on an idle machine, or fourteen times what a plain page costs on this one.
  --seed N   of the titles; default 1
  --count N  how many; default 10000
`
const MOST_MS = 50
const MOST_PLAIN = 14

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10000' },
    help: { type: 'boolean', short: 'h' }
  }
})
if (values.help) process.stdout.write(HELP)
else {
  t.setTimeout(3_600_000)
  t.test(`titles, seed ${values.seed}`, { timeout: 3_600_000 }, async (t) => {
    const { plain, dearest, asked } = await costOfTitles(t, oddTitles(Number(values.count), Number(values.seed)))
    const over = dearest.filter(({ ms }) => ms > Math.max(MOST_MS, MOST_PLAIN * plain))
    const lines = dearest.map(
      ({ path, title, ms }) => `${ms.toFixed(1)} ms  ${path}  ${JSON.stringify(title.slice(0, 60))}`
    )
    console.log(
      `titles: ${values.count} of seed ${values.seed}, a plain page ${plain.toFixed(1)} ms; the dearest:\n  ${lines.join('\n  ')}`
    )
    console.log(`${asked - over.length} passed, ${over.length} failed`)
    t.same(over, [])
  })
}
