import { readFileSync } from 'node:fs'
import t from 'tap'
import { needsFixture } from '../../helpers/fixtures.ts'
import { type ReadRecording, readRecording } from '../../helpers/recordings.ts'
import { tellEvent } from '../../helpers/telling.ts'

/**
 * Texts as an editor of warnings would write them for a resident and a night operator, each beside the recording it was
 * written from. Only what the recording says is used; no text of a recording stands here.
 */
interface Edited {
  /** Below the folder of feeds. */
  file: string
  id: string
  network?: 'mt' | 'mc'
  regions?: string[]
  text: string
  /** The editor's text from before the program's was seen, where that was judged the better one; it is not compared. */
  hand?: string
}

const golden = (name: string): Edited[] =>
  JSON.parse(readFileSync(new URL(`../../golden/${name}`, import.meta.url), 'utf8'))

/** `by-hand.json`: written from the products alone, before the program wrote them. */
const EDITED: readonly Edited[] = [...golden('editor.json'), ...golden('by-hand.json')]

t.test('every text reads as an editor wrote it from the recording', async (t) => {
  const read = new Map<string, ReadRecording | null>()
  let skipped = 0
  for (const { file, id, text, network = 'mt', regions = [] } of EDITED) {
    if (!read.has(file)) {
      const path = needsFixture(t, `feeds/${file}`)
      read.set(file, path === null ? null : await readRecording(file, path))
    }
    const recording = read.get(file) ?? null
    const event = recording?.events.find((one) => one.id === id)
    if (recording === null) skipped++
    else if (event === undefined) t.fail(`${file} has no ${id}`)
    else t.equal(tellEvent(event, { station: recording.station, network, regions }), text, `${file} ${id}`)
  }
  if (skipped > 0) t.pass('texts whose recordings are not here', { skip: `${skipped} of ${EDITED.length}` })
})

t.test('no edited text is longer than its network takes', async (t) => {
  for (const { text, network = 'mt' } of EDITED) t.ok(Buffer.byteLength(text) <= (network === 'mt' ? 200 : 155), text)
})
