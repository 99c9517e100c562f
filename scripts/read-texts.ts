import { readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AIR_LANGUAGES } from '../src/model/air-languages.ts'
import { fixture } from '../test/helpers/fixtures.ts'
import { readRecording } from '../test/helpers/recordings.ts'
import { tellEvent } from '../test/helpers/telling.ts'

const HELP = `usage: node --import=tsx scripts/read-texts.ts [FOLDER…] [--mc] [--language de] [--sample N [--seed S]]

Prints the text of every event of every recording, one a line, for an editor to read: bytes, level, file, id, text.
  FOLDER      only recordings whose name begins so (cap, nws-text)
  --mc        as MeshCore gets it
  --language  of the channel: ${AIR_LANGUAGES.join(', ')}; default en
  --sample N  N of them, a turn for each kind of product of each file in order, so that the thousandth gale warning does not crowd out the
              only levee failure; another --seed, other texts
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mc: { type: 'boolean' },
    language: { type: 'string', default: 'en' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' }
  }
})
if (values.help) {
  writeSync(1, HELP)
  process.exit(0)
}
const language = AIR_LANGUAGES.find((known) => known === values.language)
if (language === undefined) {
  writeSync(2, HELP)
  process.exit(2)
}
const root = fixture('feeds')
const files = root === null ? [] : readdirSync(root, { recursive: true, encoding: 'utf8' })
const lines: { kind: string; line: string }[] = []
for (const name of files.sort()) {
  if (root === null || !/\.(?:json|geojson|txt|xml|cap|atom|csv|tle)$/.test(name) || name.startsWith('mqtt')) continue
  if (positionals.length > 0 && !positionals.some((start) => name.startsWith(start))) continue
  try {
    const { events, station } = await readRecording(name, join(root, name))
    for (const event of events) {
      const text = tellEvent(event, { station, network: values.mc === true ? 'mc' : 'mt', language })
      const line = `${Buffer.byteLength(text)}\t${event.severity}\t${name}\t${event.id}\t${text}\n`
      lines.push({ kind: `${name} ${event.data.event_name ?? event.category} ${event.lifecycle}`, line })
    }
  } catch (error) {
    writeSync(2, `${name}: ${String(error)}\n`)
  }
}
const told = values.sample === undefined ? lines : sampled(Number(values.sample), Number(values.seed))
for (const { line } of told) writeSync(1, line)

function sampled(count: number, seed: number): typeof lines {
  let state = seed
  // A linear congruential generator: any even draw will do.
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const piles = new Map<string, typeof lines>()
  for (const entry of lines.filter(({ line }) => !line.startsWith('0\t')))
    piles.set(entry.kind, [...(piles.get(entry.kind) ?? []), entry])
  const drawn: typeof lines = []
  while (drawn.length < count && piles.size > 0)
    for (const [kind, pile] of piles) {
      drawn.push(...pile.splice(Math.floor(random() * pile.length), 1))
      if (pile.length === 0) piles.delete(kind)
    }
  return drawn.slice(0, count)
}
