import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ArchiveReceiver } from '../../../src/knowledge/library/arrival.ts'

t.test('what an upload left that was cut off with the program goes at the start; resumable ones stay', async (t) => {
  const folder = t.testdir({ 'here.zim': 'an archive' })
  const receiver = new ArchiveReceiver({
    folder,
    minFreeBytes: () => 0,
    free: async () => 1e12,
    sources: { list: () => [] },
    onArrival: () => t.fail('nothing arrives')
  })
  async function* cutOff(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('ZIM\x04')
    // A kill leaves what is there in the middle of it.
    const [part = ''] = readdirSync(receiver.partsFolder)
    writeFileSync(join(receiver.partsFolder, `left-${part}`), 'ZIM\x04')
    yield Buffer.from('more')
  }
  await receiver.drop(await receiver.store(cutOff()))
  mkdirSync(receiver.partsFolder, { recursive: true })
  for (const name of ['0a.bytes', '0a.json']) writeFileSync(join(receiver.partsFolder, name), '{}')
  t.equal(readdirSync(receiver.partsFolder).length, 3)
  t.equal(await receiver.sweep(), 1)
  t.same(readdirSync(receiver.partsFolder).sort(), ['0a.bytes', '0a.json'])
  t.ok(existsSync(join(folder, 'here.zim')))
})
