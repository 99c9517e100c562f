import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { filesOf } from '../scripts/house.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))

const SENTENCE = '(?:detail|reason|message|warning|why)s?'
const READS = '(?:startsWith|endsWith|includes|indexOf|search|match|matchAll|split)'
/** A decision by a sentence, in SQL and in code. Comparing a whole `reason` with a word is none: a reason is a code there. */
const FORBIDDEN = [
  new RegExp(`\\b${SENTENCE}\\s+(?:NOT\\s+)?(?:LIKE|GLOB|REGEXP)\\b`, 'i'),
  new RegExp(`\\b${SENTENCE}\\)?\\??\\.${READS}\\(`),
  new RegExp(`\\berrorText\\([^)]*\\)\\.${READS}\\(`),
  new RegExp(`\\.(?:test|exec)\\((?:errorText\\(|(?:\\w+\\??\\.)*${SENTENCE}\\))`),
  /\b(?:detail|message|warning)\s*[!=]==?\s*['"`][^'"`]* /
]

/** Words of other programs, which have no code for what they say; and what only the making of a sentence asks. */
const ALLOWED: Readonly<Record<string, string>> = {
  'platform/database/connect.ts': 'SQLite has one code for all errors of this kind',
  'platform/database/database.ts': 'SQLite has one code for all errors of this kind',
  'warning/outbox/schema.ts': 'a step that gives old rows their codes',
  'warning/outbox/storage-files.ts': 'the driver of SQLite has no code for a closed file',
  'knowledge/catalogue/schema.ts': 'a step that gives old rows their columns',
  'warning/feeds/wfigs/wfigs.ts': 'ArcGIS has no code for a field it does not know',
  'warning/messages/channel-tongue.ts': 'the words of an event, which a feed wrote',
  'warning/messages/draft.ts': 'the words of an event, which a feed wrote',
  'warning/messages/fit.ts': 'the words of an event, which a feed wrote',
  'warning/messages/templates.ts': 'the words of an event, which a feed wrote',
  'warning/feeds/mqtt/connection.ts': 'the MQTT client has no code for it',
  'warning/radios/link/serial.ts': 'the driver of the serial port has no codes',
  'warning/routing/backtest.ts': 'a variable with a message or a word, no sentence',
  'knowledge/intake/convert/safe-zip.ts': 'the reader of ZIP archives has no codes',
  'knowledge/keys/answer-status.ts': 'a provider has no code for it',
  'dashboard/pages/frame/problem-words.ts': 'completes a sentence: its full stop'
}

const readsProse = (line: string): boolean => FORBIDDEN.some((pattern) => pattern.test(line))

t.test('no decision of the program reads a sentence: it asks a code, a field or a column', async (t) => {
  const found = new Set<string>()
  for (const file of filesOf(src)) {
    const lines = readFileSync(join(src, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      .split('\n')
    for (const line of lines.filter(readsProse)) {
      found.add(file)
      if (!(file in ALLOWED)) t.fail(`${file}: ${line.trim()}`)
    }
  }
  t.same(Object.keys(ALLOWED).sort(), [...found].sort(), 'who is allowed to needs to')
})

t.test('what was once decided by sentences would be found', async (t) => {
  for (const line of [
    "AND detail LIKE 'refused: %'",
    "if (reason.startsWith('over') && standing.isTold(id)) standing.forget(id)",
    "models: reason?.startsWith('the vector store') ? [] : models",
    'doc.warnings.some((warning) => warning.startsWith(copyMark))',
    "step.detail.split(' is in force in ')[0]",
    'if (/disk is full|ENOSPC/.test(errorText(error)))',
    "issue.message === 'is required'",
    'if (/refused/.test(step.detail)) again()'
  ])
    t.ok(readsProse(line), line)
  for (const line of ["reason === 'radio_down'", 'EARLY.has(step.reason)', "kind.startsWith('road')"])
    t.notOk(readsProse(line), line)
})

/** A sentence where state is made: a reason of several words, or one put together. The catalogue is where those stand. */
const MADE = /\b(?:detail|reason|why|problem|said)\s*[:=]\s*(?:'[^'\n]* [^'\n]*'|`)/
const STATE = ['knowledge', 'model', 'platform', 'station', 'warning']
/** Texts of events are what people hear. */
const MADE_HERE: Readonly<Record<string, string>> = {
  'model/words/': 'the catalogue',
  'knowledge/library/archive-folder.ts': 'a line of the log at the start',
  'knowledge/scrape/mirror/pack.ts': 'the last words of another program',
  'platform/backup/survey.ts': 'what a backup leaves out, said on a terminal',
  'warning/feeds/usgs/source.ts': 'the text of an event',
  'warning/feeds/swpc/forecasts.ts': 'the text of an event',
  'warning/feeds/jma/tsunami.ts': 'the text of an event'
}

const uncommented = (file: string): string[] =>
  readFileSync(join(src, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .split('\n')

t.test(
  'state holds codes: no sentence is made in the houses of warnings and of knowledge, nor on the ground, but by the catalogue',
  async (t) => {
    const found = filesOf(src)
      .filter((file) => STATE.some((place) => file.startsWith(`${place}/`)))
      .flatMap((file) =>
        uncommented(file)
          .filter((line) => MADE.test(line))
          .map((line) => ({ file, line: line.trim() }))
      )
    const allowed = Object.keys(MADE_HERE)
    for (const { file, line } of found) if (!allowed.some((place) => file.startsWith(place))) t.fail(`${file}: ${line}`)
    for (const place of allowed.slice(1))
      t.ok(
        found.some(({ file }) => file.startsWith(place)),
        `${place} needs to`
      )
  }
)

t.test('a sentence put into state again would be found', async (t) => {
  for (const line of [
    'const detail = `joins a message`',
    "return { stage: 'plan', outcome: 'skip', reason: 'no_cell', detail: `North has no cell` }",
    "return { kind: 'unknown', reason: 'the driver of the radio failed' }"
  ])
    t.ok(MADE.test(line), line)
  for (const line of ["reason: 'no_cell', ...because('no_cell', where)", "const why = because('no_ack_in', { count })"])
    t.notOk(MADE.test(line), line)
})

/** The types take no sentence for an error (`AppError` wants a reason); this one would be hidden in a note. */
const NOTED = /because\('note', \{ text: (?:'[^'\n]* [^'\n]*'|`[^`$]*[a-z] )/

t.test(
  'no sentence of ours is hidden in a note: a note holds the words of others, or of an older version',
  async (t) => {
    for (const file of filesOf(src))
      for (const line of uncommented(file).filter((one) => NOTED.test(one))) t.fail(`${file}: ${line.trim()}`)
    t.match("because('note', { text: 'the disk is full' })", NOTED)
    t.match("because('note', { text: `no file named $" + '{name}` })', NOTED)
  }
)
