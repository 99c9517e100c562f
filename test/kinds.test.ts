import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { filesOf } from '../scripts/house.ts'
import { ALERT_PATHS, FINAL_KINDS } from '../src/model/content.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** Kinds of message are told apart by the union of model/content.ts alone; its table as SQL stands in one file. */
const KINDS = ['warning/outbox', 'warning/commands', 'station', 'dashboard', 'cli']
const OWN: Readonly<Record<string, string>> = {
  'warning/outbox/content-sql.ts': 'the table of kinds as SQL',
  'warning/outbox/cell-week.ts': 'counts for each cell what the matrix sent, and nothing else has that way',
  'warning/outbox/schema.ts': 'steps that bring older rows over, and the index of what is in force',
  'warning/outbox/rescue.ts': 'brings over the rows of an older damaged file',
  'warning/outbox/holds.ts': 'a way of alerts, after their kind was asked'
}

const WORD = `'(?:${[...ALERT_PATHS, ...FINAL_KINDS, 'digest'].join('|')})'`
const FORBIDDEN = [
  new RegExp(`\\bpath\\s*(?:=|<>|[!=]==|IN|NOT IN)\\s*\\(?${WORD}`),
  /\b[a-z]\.kind\s*(?:=|<>)\s*'/,
  /\bkind\s*<>\s*'/,
  /\b(?:event_?[sS]eqs|event_?[iI]ds)\b\.length\s*[!=<>]/,
  /\b(?:seqs|ids)\.length === 0 \? null/,
  /\bcategory\b\s*(?:===|=|LIKE|GLOB)\s*[`'](?:digest|reply|broadcast|notice)/,
  /\b(?:thread_?[iI]d|dedup_key|dedup\.key|key)\b\)?(?:\s+(?:LIKE|GLOB)\s+|\.startsWith\()[`'](?:digest|reply|broadcast|test|notice):/
]
const tellsApart = (line: string): boolean => FORBIDDEN.some((pattern) => pattern.test(line))

t.test('nothing tells kinds of message apart by a way, an event, a category or a name of its own', (t) => {
  const found = new Set<string>()
  for (const file of filesOf(src).filter((one) => KINDS.some((room) => one.startsWith(`${room}/`)))) {
    const lines = readFileSync(join(src, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      .split('\n')
    for (const line of lines.filter(tellsApart)) {
      found.add(file)
      if (!(file in OWN)) t.fail(`${file}: ${line.trim()}`)
    }
  }
  t.same([...found].sort(), Object.keys(OWN).sort(), 'who is allowed to needs to')
  t.end()
})

t.test('the ways in which kinds were told apart before would be found', (t) => {
  for (const line of [
    "  if (path === 'digest' || delivery.eventSeqs.length === 0 || delivery.attempts > 0) return null",
    "const ABOUT = `state IN ('queued', 'held') AND parts IS NULL AND kind <> 'cancel' AND path <> 'digest'",
    "  if (category === 'digest_cooldown') return 'cooldown'",
    "    if (text.path === 'broadcast') this.storage.demand()",
    '  const frozen = radio !== null && parts !== null && nextPart === 0 && eventSeqs.length > 0',
    "WHERE state = 'failed' AND changed_at > ? AND path <> 'reply'",
    '    const code = seqs.length === 0 ? null : this.codes.codeOf(event.thread_id, now)',
    "  if (dedup.key.startsWith('test:')) return 'test'"
  ])
    t.ok(tellsApart(line), line)
  t.end()
})
