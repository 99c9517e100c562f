// The work of `lookout work scrape:mirror OPTIONS`, with a guard that lets it reach the tests' own sites.
import { readFileSync } from 'node:fs'
import { mirror } from '../../../src/knowledge/scrape/mirror/roles.ts'
import { siteGuard } from '../../../src/platform/net/site-guard.ts'

const [, , file = ''] = process.argv.slice(2)
await mirror(JSON.parse(readFileSync(file, 'utf8')), siteGuard({ isAllowed: (address) => address === '127.0.0.1' }))
