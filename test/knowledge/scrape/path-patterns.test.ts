import t from 'tap'
import {
  excludeExpression,
  fitsAny,
  includeExpression,
  MOST_PATTERNS,
  readPatterns
} from '../../../src/knowledge/scrape/path-patterns.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'

const at = (path: string): URL => new URL(path, 'https://www.example.org')

t.test('a star stands for anything, everything else for itself; a slash at the end makes no difference', async (t) => {
  for (const [pattern, fitting, others] of [
    ['/blog/*', ['/blog/', '/blog/2026/a', '/blog/?x=1'], ['/blog', '/', '/a/blog/b']],
    ['/about', ['/about', '/about/'], ['/about/us', '/about?x=1', '/About']],
    ['/*?print=*', ['/a?print=1', '/?print=', '/a/b?print=1&x=2'], ['/a?x=1&print=1', '/print=']],
    ['*.php', ['/a.php', '/b/c.php'], ['/a.php5', '/a.php?x=1']],
    ['/a*b*c', ['/abc', '/a/b/c', '/abcbc'], ['/acb', '/ab', '/xabc']],
    ['/ab*ba', ['/abba', '/ab-ba'], ['/aba', '/ab']],
    ['/Küche/*', ['/K%C3%BCche/x', '/Ku%CC%88che/x'], ['/K']],
    ['/a.b', ['/a.b'], ['/axb']],
    ['/x[1](2)', ['/x[1](2)'], ['/x1']]
  ] as const) {
    const [fits, excluded] = [fitsAny([pattern]), new RegExp(excludeExpression([pattern]))]
    for (const path of fitting) t.ok(fits(at(path)), `${pattern} fits ${path}`)
    for (const path of others) t.notOk(fits(at(path)), `${pattern} does not fit ${path}`)
    // The crawler of the container takes the same as an expression over whole addresses, as browsers write them.
    for (const path of fitting.filter((one) => !one.includes('%CC%88')))
      t.ok(excluded.test(at(path).href), `${excluded} fits ${path}`)
    for (const path of others) t.notOk(excluded.test(at(path).href), `${excluded} does not fit ${path}`)
  }
  t.notOk(fitsAny([])(at('/')))
  t.equal(excludeExpression([]), '')
})

t.test('several patterns are one expression, whose look-aheads count through', async (t) => {
  const patterns = ['/a*b*c*d', '/e*f*g', '/x', '*cal*day*']
  const fits = fitsAny(patterns)
  const expression = new RegExp(excludeExpression(patterns))
  for (const path of [
    '/abcd',
    '/a1b2c3d',
    '/efg',
    '/eg',
    '/x',
    '/xy',
    '/calendar/day',
    '/day/cal',
    '/a-b-d',
    '/e-f-f-g'
  ])
    t.equal(expression.test(at(path).href), fits(at(path)), path)
})

t.test('for the crawler of the container the scope is a part of what is included', async (t) => {
  const first = new URL('https://www.example.org/docs/start')
  const included = (scope: 'host' | 'prefix' | 'domain') =>
    new RegExp(includeExpression(['*/guide/*', '/docs/x'], { first, scope }))
  for (const [address, host, prefix, domain] of [
    ['https://example.org/guide/a', true, false, true],
    ['http://www.example.org/docs/guide/a', true, true, true],
    ['https://www.example.org/docs/x', true, true, true],
    ['https://www.example.org/docs/y', false, false, false],
    ['https://sub.example.org/guide/a', false, false, true],
    ['https://badexample.org/guide/a', false, false, false],
    ['https://evil.test/?https://www.example.org/guide/a', false, false, false]
  ] as const)
    t.same(
      [included('host').test(address), included('prefix').test(address), included('domain').test(address)],
      [host, prefix, domain],
      address
    )
})

t.test('what is no pattern is refused with the reason, and says where', async (t) => {
  t.same(readPatterns([' /a ', '', '/a', '/b/*'], '/include'), ['/a', '/b/*'])
  for (const [lines, words] of [
    [['blog/*'], /begins with \/ or \*/],
    [['https://example.org/x'], /begins with/],
    [['/a b'], /blank/],
    [['/a#b'], /#/],
    [['/*'], /fits every page/],
    [['**'], /fits every page/],
    [[`/${'a'.repeat(200)}`], /too long/],
    [['/a*a*a*a*a*a*a*a*a*b'], /too long/],
    [Array.from({ length: MOST_PATTERNS + 1 }, (_, n) => `/${n}`), /at most 20/]
  ] as const)
    t.throws(() => readPatterns(lines, '/exclude'), { code: 'invalid', message: words, issues: [{ path: '/exclude' }] })
})

t.test('a pattern costs what the length of an address says, here and as an expression', async (t) => {
  const pattern = '/*a*a*a*a*a*a*ab'
  const expression = new RegExp(excludeExpression([pattern]))
  const fits = fitsAny([pattern])
  const address = (times: number): string => `https://example.org/${'a'.repeat(times)}c`
  t.ok(growthOfEightfold(address, (text) => void expression.test(text), 4000) < MOST_GROWTH)
  t.ok(growthOfEightfold(address, (text) => void fits(new URL(text)), 4000) < MOST_GROWTH)
})
