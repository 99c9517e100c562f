import { readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fixture } from '../test/helpers/fixtures.ts'
import { readRecording } from '../test/helpers/recordings.ts'
import { tellEvent } from '../test/helpers/telling.ts'

/**
 * Prints the text of every event of every recording, one a line, for an editor to read: bytes, level, file, id, text.
 * `--mc`: as MeshCore gets it. `--sample N --seed S`: N of them, a turn for each kind of product of each file in order, so that the
 * thousandth gale warning does not crowd out the only levee failure.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mc: { type: 'boolean' }, sample: { type: 'string' }, seed: { type: 'string', default: '1' } }
})
const root = fixture('feeds')
const files = root === null ? [] : readdirSync(root, { recursive: true, encoding: 'utf8' })
const lines: { kind: string; line: string }[] = []
for (const name of files.sort()) {
  if (root === null || !/\.(?:json|geojson|txt|xml|cap|atom|csv|tle)$/.test(name) || name.startsWith('mqtt')) continue
  if (positionals.length > 0 && !positionals.some((start) => name.startsWith(start))) continue
  try {
    const { events, station } = await readRecording(name, join(root, name))
    for (const event of events) {
      const text = tellEvent(event, { station, network: values.mc === true ? 'mc' : 'mt' })
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
