import { readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fixture } from '../test/helpers/fixtures.ts'
import { readRecording } from '../test/helpers/recordings.ts'
import { tellEvent } from '../test/helpers/telling.ts'

/** Prints every text of every recording, one a line, for an editor to read: bytes, level, file, id, text. */

const root = fixture('feeds')
const wanted = process.argv.slice(2)
const files = root === null ? [] : readdirSync(root, { recursive: true, encoding: 'utf8' })
for (const name of files.sort()) {
  if (root === null || !/\.(?:json|geojson|txt|xml|cap|atom|csv|tle)$/.test(name) || name.startsWith('mqtt')) continue
  if (wanted.length > 0 && !wanted.some((start) => name.startsWith(start))) continue
  try {
    const { events, station } = await readRecording(name, join(root, name))
    for (const event of events) {
      const text = tellEvent(event, { station })
      writeSync(1, `${Buffer.byteLength(text)}\t${event.severity}\t${name}\t${event.id}\t${text}\n`)
    }
  } catch (error) {
    writeSync(2, `${name}: ${String(error)}\n`)
  }
}
