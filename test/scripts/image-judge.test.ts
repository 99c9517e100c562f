import { spawnSync } from 'node:child_process'
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Ack, judgeData } from '../../scripts/image-judge.ts'
import { momentsOf, PATH, type Write } from '../../scripts/image-log.ts'
import { byFile } from '../../scripts/image-rest.ts'
import { loadDriver } from '../../src/platform/database/sqlite-driver.ts'

/** The judge of the cards of power cuts finds what is lost: each promise is broken once. */

const env = { ...process.env, PATH }
const missing = ['mkfs.ext4', 'e2fsck', 'debugfs'].filter((name) => spawnSync('which', [name], { env }).status !== 0)
const skip = missing.length > 0 ? `not installed: ${missing.join(', ')}` : false

interface Held {
  name?: string
  /** Ids of events that are to be sent, and whether a message has them. */
  events?: Record<string, boolean>
}

async function partition(
  t: Test,
  { name = 'Emulated Hill', events = {} }: Held
): Promise<{ image: string; folder: string }> {
  const root = t.testdir({ tree: { lookout: { 'config.json': JSON.stringify({ station: { name } }) } }, out: {} })
  const Driver = await loadDriver()
  const database = new Driver(join(root, 'tree/lookout/lookout.db'))
  database.exec(`CREATE TABLE events (seq INTEGER PRIMARY KEY, source TEXT, id TEXT, decision TEXT);
    CREATE TABLE deliveries (id INTEGER PRIMARY KEY, event_seqs TEXT)`)
  for (const [nth, [id, queued]] of Object.entries(events).entries()) {
    database.prepare("INSERT INTO events VALUES (?, 'cuts', ?, 'send')").run(nth + 1, id)
    if (queued) database.prepare('INSERT INTO deliveries VALUES (?, ?)').run(nth + 1, JSON.stringify([nth + 1]))
  }
  database.close()
  const image = join(root, 'data.img')
  const made = spawnSync('mkfs.ext4', ['-q', '-F', '-b', '4096', '-d', join(root, 'tree'), image, '32M'], { env })
  t.equal(made.status, 0)
  return { image, folder: join(root, 'out') }
}

async function faultsOf(t: Test, held: Held, acks: readonly Ack[]): Promise<string[]> {
  const { image, folder } = await partition(t, held)
  return (await judgeData(image, folder, acks)).faults
}

t.test('a card that holds what was acknowledged, and more, has no faults', { skip }, async (t) => {
  const acks = [
    { id: 'a', log: 1 },
    { name: 10, log: 2 }
  ]
  t.same(await faultsOf(t, { name: 'Emulated Hill 20', events: { a: true, b: true } }, acks), [])
  t.same(await faultsOf(t, {}, []), [], 'nor one of which nothing was promised yet')
})

t.test('an acknowledged event that is not there is told', { skip }, async (t) => {
  t.same(await faultsOf(t, { events: { a: true } }, [{ id: 'b', log: 1 }]), ['acknowledged and lost: b'])
})

t.test('an event that is to be sent and waits in no message is told', { skip }, async (t) => {
  t.same(await faultsOf(t, { events: { a: false } }, [{ id: 'a', log: 1 }]), ['to be sent and in no message: a'])
})

t.test('a setting older than the one that was acknowledged is told', { skip }, async (t) => {
  const faults = await faultsOf(t, { name: 'Emulated Hill 10' }, [{ name: 20, log: 1 }])
  t.match(faults, [/"Emulated Hill 10", and name 20 was acknowledged/])
})

t.test('writes onto a card are told by file, journal and tables', { skip }, async (t) => {
  const { image, folder } = await partition(t, {})
  const ask = (command: string): string =>
    spawnSync('debugfs', ['-R', command, image], { encoding: 'utf8', env }).stdout
  const [block = 0] = ask('blocks /lookout/lookout.db').trim().split(' ').map(Number)
  const journal = Number(/\(0\):(\d+)|\(0-\d+\):(\d+)/.exec(ask('stat <8>'))?.slice(1).find(Boolean))
  t.ok(block > 0 && journal > 0)

  const START = 8192
  const card = join(folder, 'card.img')
  writeFileSync(card, '')
  truncateSync(card, START * 512)
  const table = Buffer.alloc(512)
  // Of the third partition of an MBR: where it begins, in sectors, and how many it has.
  table.writeUInt32LE(START, 446 + 32 + 8)
  table.writeUInt32LE(65_536, 446 + 32 + 12)
  const file = openSync(card, 'r+')
  writeSync(file, table, 0, 512, 0)
  closeSync(file)
  spawnSync('dd', [`if=${image}`, `of=${card}`, 'bs=512', `seek=${START}`, 'conv=notrunc', 'status=none'])

  const write = (to: number, bytes: number): Write => ({ end: 0, data: 0, to, bytes, flushes: false })
  const at = (nth: number): number => START * 512 + nth * 4096
  const told = byFile(
    [write(at(block), 4096), write(at(block), 4096), write(at(journal), 8192), write(at(0), 1024), write(512, 512)],
    card
  )
  t.same(told, { '/lookout/lookout.db': 8192, journal: 8192, 'tables of the file system': 1024, elsewhere: 512 })
})

t.test('power is cut at any moment of a log, or only after an acknowledgement', async (t) => {
  const writes = [1000, 2000, 3000, 4000].map((end) => ({ end, data: null, to: 0, bytes: 0, flushes: false }))
  const evenly = (): (() => number) => {
    let nth = 0
    return () => (nth++ % 100) / 100
  }
  const among = (from?: number): number[] => [
    ...new Set(momentsOf(writes, { cuts: 100, random: evenly(), ...(from === undefined ? {} : { from }) }))
  ]
  t.same(among(), [1, 2, 3, 4])
  // An acknowledgement notes how long the log is: the write that ends there is on its way for certain.
  t.same(among(3000), [3, 4])
  t.same(among(3001), [4])
  t.throws(() => momentsOf(writes, { cuts: 1, random: evenly(), from: 4001 }), /no write from byte 4001 on/)
})
