import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ArchiveReceiver } from '../../../src/knowledge/library/arrival.ts'
import type { LibrarySource } from '../../../src/knowledge/library/source.ts'
import { source } from '../../helpers/archives.ts'
import { note } from '../../helpers/in-words.ts'
import { UUID, zimBytes } from '../../helpers/zim.ts'

t.test('what an upload left that was cut off with the program goes at the start; resumable ones stay', async (t) => {
  const folder = t.testdir({ 'here.zim': 'an archive' })
  const receiver = new ArchiveReceiver({
    folder,
    minFreeBytes: () => 0,
    free: async () => 1e12,
    sources: { list: () => [], setState: () => undefined },
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

/** A folder with one archive, and a receiver that knows its row. */
function receiving(t: Test, row: LibrarySource) {
  const folder = t.testdir({ [row.filename]: 'an archive' })
  const states: string[] = []
  const arrived: string[] = []
  const receiver = new ArchiveReceiver({
    folder,
    minFreeBytes: () => 0,
    free: async () => 1e12,
    sources: { list: () => [row], setState: (id, state) => void states.push(`${id} ${state}`) },
    onArrival: (name) => void arrived.push(name)
  })
  return { folder, receiver, states, arrived }
}

async function* good(): AsyncGenerator<Uint8Array> {
  yield zimBytes([{ path: 'a' }])
}

t.test('an upload takes the place of a damaged file of its name, and of no other', async (t) => {
  const damaged = source(7, {
    filename: 'wiki.zim',
    uuid: '',
    claimedUuid: UUID,
    state: 'damaged',
    reason: note('cut off')
  })
  const { folder, receiver, states, arrived } = receiving(t, damaged)
  t.equal(await receiver.nameFor('Wiki.zim'), 'wiki.zim')
  const part = await receiver.store(good())
  t.same(await receiver.accept(part, { filename: 'wiki.zim' }), { filename: 'wiki.zim', uuid: UUID })
  t.same(readFileSync(join(folder, 'wiki.zim')), zimBytes([{ path: 'a' }]))
  t.same([states, arrived], [['7 missing'], ['wiki.zim']], 'it is looked at before anything of it is shown')
  await receiver.drop(part)
  t.same(readdirSync(receiver.partsFolder), [])
  const present = receiving(t, source(8, { filename: 'wiki.zim' }))
  await t.rejects(present.receiver.nameFor('wiki.zim'), { code: 'conflict' })
})

t.test('of an archive whose file is damaged the same may come under another name', async (t) => {
  const { receiver, arrived } = receiving(t, source(7, { filename: 'old.zim', uuid: UUID, state: 'damaged' }))
  await receiver.accept(await receiver.store(good()), { filename: 'new.zim' })
  t.same(arrived, ['new.zim'])
  const { receiver: other } = receiving(t, source(7, { filename: 'old.zim', uuid: UUID }))
  await t.rejects(other.accept(await other.store(good()), { filename: 'new.zim' }), { code: 'conflict' })
})
