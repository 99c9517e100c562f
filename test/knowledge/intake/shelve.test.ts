import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { DOMAINS, type Metadata } from '../../../src/knowledge/catalogue/document.ts'
import { FileMoves, type IntakeFileSystem, intakeFileSystem } from '../../../src/knowledge/intake/file-moves.ts'
import { shelfFolder, shelfName } from '../../../src/knowledge/intake/shelf-path.ts'
import { Shelver } from '../../../src/knowledge/intake/shelve.ts'
import { anyText } from '../../helpers/any-text.ts'
import { knowledgeSetup, newDocument } from '../../helpers/knowledge.ts'

const HASH = 'abcdef0123456789'.repeat(4)
const facts = (patch: Partial<Metadata> = {}): Metadata => ({
  title: 'Root Cellaring',
  author: 'Mike Bubel',
  edition: '',
  year: '1991',
  ...patch
})

async function setup(t: Test, fs: Partial<IntakeFileSystem> = {}) {
  const folder = t.testdir({})
  const knowledge = await knowledgeSetup(t)
  const { db, catalogue, clock } = knowledge
  const moves = new FileMoves({ db, folder, now: () => clock.now(), fs: { ...intakeFileSystem, ...fs } })
  const warnings: unknown[] = []
  const log = { warn: (fields: unknown) => void warnings.push(fields) }
  const shelver = new Shelver({ db, catalogue, moves, log })
  const put = async (path: string, text = path): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const tree = async (): Promise<string[]> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
      .sort()
  }
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8')
  return { ...knowledge, folder, moves, shelver, put, tree, read, warnings }
}

t.test('a filed document has a readable name in the folder of its domain', async (t) => {
  for (const [patch, name] of [
    [{}, 'Root Cellaring — Mike Bubel (1991)'],
    [{ author: '' }, 'Root Cellaring (1991)'],
    [{ year: '' }, 'Root Cellaring — Mike Bubel'],
    [{ author: '', year: 'ca. 1990' }, 'Root Cellaring'],
    [{ title: '' }, 'abcdef012345'],
    [{ title: '...', author: '' }, 'abcdef012345'],
    [{ title: '../../etc/passwd', author: '', year: '' }, 'etc-passwd'],
    [{ title: 'Canning: A Guide', author: '', year: '' }, 'Canning - A Guide'],
    [{ title: 'AC/DC "what?" <b>*|', author: '', year: '' }, 'AC-DC what b'],
    [{ title: 'con', author: '', year: '' }, '_con'],
    [{ title: 'LPT1.notes', author: '', year: '' }, '_LPT1.notes'],
    [{ title: 'evil\u202efdp.exe\u0000\u2028', author: '', year: '' }, 'evil fdp.exe'],
    [{ title: 'Cafe\u0301', author: '', year: '' }, 'Café'],
    [{ title: '日本の保存食', author: '', year: '' }, '日本の保存食'],
    [{ author: 'A. Writer with a name that goes on and on and on, and then some more' }, 'Root Cellaring (1991)']
  ] as const)
    t.equal(shelfName({ ...facts(patch), hash: HASH }), name)
  t.equal(shelfFolder('Agriculture & Livestock'), 'library/Agriculture-and-Livestock')
  t.equal(shelfFolder('Unsorted'), 'library/Unsorted')
})

t.test('R4: no text from anywhere makes a folder: there are 18 and Unsorted', async (t) => {
  const folders = new Set([...DOMAINS, 'Unsorted', 'Knots & Lashings', '../..', '', 'General'].map(shelfFolder))
  t.equal(folders.size, 19)
})

t.test(
  'a long name is cut at a word and keeps author and year; the longest stays within 120 characters and 255 bytes',
  async (t) => {
    const long = shelfName({ ...facts({ title: 'preserving '.repeat(40) }), hash: HASH })
    t.match(long, /^(preserving )+— Mike Bubel \(1991\)$/)
    t.ok([...`${long}.docx`].length <= 120)
    const wide = shelfName({ ...facts({ title: '保存'.repeat(200) }), hash: HASH }, ` [${HASH.slice(0, 6)}]`)
    t.ok(Buffer.byteLength(`${wide}.docx`) <= 255)
    t.match(wide, /\(1991\) \[abcdef\]$/)
  }
)

t.test('whatever the title is: one legal name in one known folder of the shelf', async () => {
  const nasty = fc.oneof(
    anyText({ maxLength: 300 }),
    fc.string({ maxLength: 300 }),
    fc
      .array(
        fc.constantFrom('..', '/', '\\', '.', ' ', 'con', 'aux.', ':', '\u202e', '\0', 'é', '𝕏', '\ud800', '~', '日')
      )
      .map((list) => list.join(''))
  )
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, fc.constantFrom('', ' [abcdef]'), (title, author, year, domain, suffix) => {
      const name = `${shelfName({ title, author, year, hash: HASH }, suffix)}.docx`
      const path = `${shelfFolder(domain)}/${name}`
      const whole = resolve('/data', path)
      const isInside = whole.startsWith(`/data/library/`) && whole === `/data/${path}` && path.split(sep).length === 3
      const isLegal = !/[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name) && !/^(con|aux|nul|prn)\./i.test(name)
      const fits = [...name].length <= 120 && Buffer.byteLength(name) <= 255
      return isInside && isLegal && fits && !/^[. ]/.test(name) && name === name.normalize('NFC')
    }),
    { numRuns: 2000 }
  )
})

t.test('namesakes are told apart by the hash, in whatever case and with whatever ending', async (t) => {
  const { shelver, put, tree, catalogue, moves } = await setup(t)
  const hashes = ['1', '2', '3', '4'].map((digit) => digit.repeat(64))
  const titles = ['Root Cellaring', 'ROOT CELLARING', 'Root Cellaring', 'Root Cellaring']
  for (const [at, hash] of hashes.entries()) {
    const extension = at === 2 ? '.txt' : '.pdf'
    await put(`processing/${hash}/source${extension}`)
    const metadata = facts({ title: titles[at] ?? '' })
    const path = await shelver.shelve({
      hash,
      domain: 'Food Systems',
      metadata,
      files: [{ from: `processing/${hash}/source${extension}`, extension }]
    })
    // The last one is only planned: names that are about to be given are taken too.
    if (at < 3) {
      catalogue.add(newDocument(at + 1, { path, ...metadata }))
      moves.done(hash)
    }
  }
  t.same(await tree(), [
    'library/Food-Systems/ROOT CELLARING — Mike Bubel (1991) [222222].pdf',
    'library/Food-Systems/Root Cellaring — Mike Bubel (1991) [333333].txt',
    'library/Food-Systems/Root Cellaring — Mike Bubel (1991) [444444].pdf',
    'library/Food-Systems/Root Cellaring — Mike Bubel (1991).pdf'
  ])
})

t.test('a file somebody put there by hand is never overwritten', async (t) => {
  const { shelver, put, read, moves } = await setup(t)
  await put('library/Medical/Root Cellaring — Mike Bubel (1991).pdf', 'mine')
  await put(`library/Medical/Root Cellaring — Mike Bubel (1991) [${HASH.slice(0, 6)}].epub`, 'mine too')
  await put('processing/a/source.pdf', 'new')
  const path = await shelver.shelve({
    hash: HASH,
    domain: 'Medical',
    metadata: facts(),
    files: [{ from: 'processing/a/source.pdf', extension: '.pdf' }]
  })
  t.equal(path, `library/Medical/Root Cellaring — Mike Bubel (1991) [${HASH.slice(0, 12)}].pdf`)
  t.equal(await read('library/Medical/Root Cellaring — Mike Bubel (1991).pdf'), 'mine')
  await put('x/a', 'one')
  await put('x/b', 'two')
  moves.plan('h', [{ from: 'x/a', to: 'x/b' }])
  await t.rejects(moves.carryOut('h'), { code: 'conflict' })
  t.equal(await read('x/b'), 'two')
})

t.test('no planned move leaves the data folder', async (t) => {
  const { moves } = await setup(t)
  for (const path of ['../x', '/etc/passwd', 'a/../../x', '', '.'])
    t.throws(() => moves.plan('h', [{ from: path, to: 'library/x' }]), { code: 'bad-input' }, path)
  t.throws(() => moves.plan('h', [{ from: 'a', to: 'library/../../x' }]), { code: 'bad-input' })
  t.same(moves.planned(), [])
})

t.test('R8: a decided domain moves the files; a crash at any step is finished at the next start', async (t) => {
  const before = ['library/Unsorted/Book.epub', 'library/Unsorted/Book.pdf']
  const after = [
    'library/Medical/Root Cellaring — Mike Bubel (1991).epub',
    'library/Medical/Root Cellaring — Mike Bubel (1991).pdf'
  ]
  let steps = Number.POSITIVE_INFINITY
  for (let at = 0; at < steps; at++) {
    const { fs, taken } = failingAt(at)
    const s = await setup(t, fs)
    for (const path of before) await s.put(path)
    const id = s.catalogue.add(newDocument(1, { path: 'library/Unsorted/Book.pdf', ...facts() }))
    await s.shelver.decideDomain(id, 'Medical').catch(() => undefined)
    steps = Math.min(steps, taken.steps < at ? at : Number.POSITIVE_INFINITY)
    const again = await restarted(s)
    await again.recover()
    const found = s.catalogue.byId(id)
    const isDecided = found?.domain === 'Medical'
    t.same(await s.tree(), isDecided ? after : before, `step ${at}`)
    t.equal(found?.path, isDecided ? after[1] : before[1])
    t.same(s.moves.planned(), [])
    for (const [at, path] of (await s.tree()).entries()) t.equal(await s.read(path), before[at])
  }
  t.ok(steps > 10, `${steps} steps`)
})

t.test('R8: moves of a document that never got its row are taken back', async (t) => {
  const s = await setup(t)
  await s.put('processing/a/source.epub')
  await s.put('processing/a/converted.pdf')
  await s.shelver.shelve({
    hash: HASH,
    domain: 'Medical',
    metadata: facts(),
    files: [
      { from: 'processing/a/converted.pdf', extension: '.pdf' },
      { from: 'processing/a/source.epub', extension: '.epub' }
    ]
  })
  t.equal((await s.tree()).filter((path) => path.startsWith('library/Medical')).length, 2)
  await s.shelver.recover()
  t.same(await s.tree(), ['processing/a/converted.pdf', 'processing/a/source.epub'])
  t.same(s.moves.planned(), [])
})

t.test('to another file system the copy is whole and on the disk before the source goes, at every crash', async (t) => {
  let steps = Number.POSITIVE_INFINITY
  for (let at = 0; at < steps; at++) {
    const { fs, taken } = failingAt(at, {
      rename: async (from, to) => {
        if (dirname(String(from)) === dirname(String(to))) return rename(from, to)
        throw Object.assign(new Error('cross-device link'), { code: 'EXDEV' })
      }
    })
    const s = await setup(t, fs)
    await s.put('a/source.pdf', 'content')
    s.moves.plan(HASH, [{ from: 'a/source.pdf', to: 'library/Medical/b.pdf' }])
    await s.moves.carryOut(HASH).catch(() => undefined)
    steps = Math.min(steps, taken.steps < at ? at : Number.POSITIVE_INFINITY)
    const again = new FileMoves({ db: s.db, folder: s.folder, now: () => 0 })
    if (at % 2 === 0) {
      await again.carryOut(HASH)
      again.done(HASH)
    } else await again.undo(HASH)
    const [left, ...more] = (await s.tree()).filter((path) => !path.includes('.moving-'))
    t.equal(left, at % 2 === 0 ? 'library/Medical/b.pdf' : 'a/source.pdf', `step ${at}`)
    t.same(more, [])
    t.equal(await s.read(left ?? ''), 'content')
    t.same(
      (await s.tree()).filter((path) => path.includes('.moving-')),
      [],
      'nothing half copied stays'
    )
  }
  t.ok(steps > 10, `${steps} steps`)
})

t.test('a probable copy that is kept goes to the shelf; a lost file is told, and stops nobody else', async (t) => {
  const s = await setup(t)
  const hash = '1'.repeat(64)
  await s.put(`processing/${hash}/converted.pdf`)
  await s.put(`processing/${hash}/source.mobi`)
  const path = `processing/${hash}/converted.pdf`
  const id = s.catalogue.add(newDocument(1, { path, domain: 'Medical', ...facts() }))
  await s.shelver.place(id)
  t.same(await s.tree(), [
    'library/Medical/Root Cellaring — Mike Bubel (1991).mobi',
    'library/Medical/Root Cellaring — Mike Bubel (1991).pdf'
  ])
  t.equal(s.catalogue.byId(id)?.path, 'library/Medical/Root Cellaring — Mike Bubel (1991).pdf')
  await s.shelver.place(id)
  await s.shelver.place(99)
  const lost = s.catalogue.add(newDocument(2, { path: 'library/Medical/gone.pdf' }))
  await t.rejects(s.shelver.decideDomain(lost, 'Security'), { code: 'not-found' })
  s.moves.plan('2'.repeat(64), [{ from: 'x/1', to: 'x/2' }])
  await s.put('y/1')
  s.catalogue.add(newDocument(3, { path: 'y/2' }))
  s.moves.plan('3'.repeat(64), [{ from: 'y/1', to: 'y/2' }])
  await s.shelver.recover()
  t.equal(s.warnings.length, 1)
  t.ok((await s.tree()).includes('y/2'))
})

/** A file system that is cut off at the step `at`, as by a kill: that call and all after it fail. */
function failingAt(at: number, base: Partial<IntakeFileSystem> = {}) {
  const taken = { steps: -1 }
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    taken.steps += 1
    if (taken.steps >= at) throw new Error('killed')
    return work()
  }
  const real = { ...intakeFileSystem, ...base }
  const fs = Object.fromEntries(
    Object.entries(real).map(([name, call]) => [
      name,
      (...args: unknown[]) => step(() => Reflect.apply(call as (...args: unknown[]) => Promise<unknown>, null, args))
    ])
  ) as unknown as IntakeFileSystem
  return { fs, taken }
}

async function restarted({ db, catalogue, folder }: Awaited<ReturnType<typeof setup>>): Promise<Shelver> {
  const moves = new FileMoves({ db, folder, now: () => 0 })
  return new Shelver({ db, catalogue, moves, log: { warn: () => undefined } })
}
