/**
 * Title, author, year and domain of documents that ship in Debian packages, as the intake finds them without a language
 * model, beside what somebody says who looked at them. The packages are fetched once, into a folder outside of the program.
 *
 *   node --import=tsx scripts/bench-metadata.ts [--show] [--cache FOLDER] [--help]
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { convertToPdf } from '../src/knowledge/intake/convert/convert.ts'
import { systemConvertTools } from '../src/knowledge/intake/convert/convert-tools.ts'
import type { SourceReaders } from '../src/knowledge/intake/read-source.ts'
import { systemReaders } from '../src/knowledge/intake/readers.ts'
import { ownProgram } from '../src/platform/process/own-program.ts'
import { OTHER_DOCUMENTS, PDF_DOCUMENTS } from '../test/knowledge/intake/metadata/documents.ts'
import { copiesAmong } from '../test/knowledge/intake/metadata/find-copies.ts'
import { FIELDS, type Field, type Half, halfOf, wrongFields } from '../test/knowledge/intake/metadata/judge.ts'
import { nameFile } from '../test/knowledge/intake/metadata/name-file.ts'
import { packageFiles } from '../test/knowledge/intake/metadata/package-files.ts'
import { NEIGHBOURS, WORKS } from '../test/knowledge/intake/metadata/works.ts'
import { answer, atLeast, atMost, type Row, root } from './bench-part.ts'

const { values } = parseArgs({
  options: {
    show: { type: 'boolean' },
    quick: { type: 'boolean' },
    cache: { type: 'string', default: join(homedir(), '.cache/lookout-documents') },
    help: { type: 'boolean', short: 'h' }
  }
})
if (values.help) {
  console.log(
    'node --import=tsx scripts/bench-metadata.ts [--show] [--cache FOLDER]\nTitle, author, year and domain of real documents, as JSON rows. --show: what is wrong, on stderr. Needs apt-get and dpkg-deb of Debian 12.'
  )
  process.exit(0)
}
const TARGET = 90
const FEWEST = 100

/** Our own converters run in the built program: this script plays no role of it. */
const readers: SourceReaders = {
  ...systemReaders,
  convert: (request) =>
    convertToPdf({
      ...request,
      tools: {
        ...systemConvertTools,
        self: (args) => ownProgram(args, { entry: join(root, 'dist/lookout.js'), execArgv: [] })
      }
    })
}

type Count = Record<Field, number> & { documents: number }
const none = (): Count => ({ documents: 0, title: 0, author: 0, year: 0, domain: 0 })
const counts: Record<Half, Count> = { open: none(), held: none() }
let absent = 0

const documents = [...PDF_DOCUMENTS, ...OTHER_DOCUMENTS]
const files = await packageFiles(documents, values.cache)
for (const [at, labelled] of documents.entries()) {
  const file = files[at]
  if (file === null || file === undefined) {
    absent += 1
    continue
  }
  const half = halfOf(labelled)
  const wrong = wrongFields(labelled, await nameFile(file, readers))
  counts[half].documents += 1
  for (const field of FIELDS) if (!wrong.some((one) => one.field === field)) counts[half][field] += 1
  if (values.show)
    for (const { field, found, label } of wrong)
      console.error(`${half} ${labelled[0]} ${labelled[1]}\n   ${field}: “${found}”, not “${label}”`)
}

const rows: Row[] = [
  { what: 'documents that could not be fetched, left out', value: absent, unit: '' },
  atLeast('documents looked at', counts.open.documents + counts.held.documents, '', FEWEST)
]
for (const [half, count] of Object.entries(counts)) {
  rows.push({ what: `${half} half: documents`, value: count.documents, unit: '' })
  for (const field of FIELDS)
    rows.push(atLeast(`${half} half: ${field} right`, (100 * count[field]) / Math.max(1, count.documents), '%', TARGET))
}
rows.push(...(await copies()))
answer(rows)

/** One work in several formats is held as a probable copy; its neighbours are not. */
async function copies(): Promise<Row[]> {
  const works = WORKS.flatMap(([name, stem, endings], work) =>
    endings.map((ending) => ({ name, path: `${stem}.${ending}`, work }))
  )
  const neighbours = NEIGHBOURS.map(([name, path], at) => ({ name, path, work: WORKS.length + at }))
  const all = [...works, ...neighbours]
  const places = await packageFiles(
    all.map(({ name, path }) => [name, path] as const),
    values.cache
  )
  const taken = all.flatMap((one, at) => (places[at] == null ? [] : [{ ...one, file: places[at] }]))
  const held = await copiesAmong(
    taken.map(({ file }) => file),
    readers
  )
  let [due, found, wrong] = [0, 0, 0]
  for (const [at, { work, path }] of taken.entries()) {
    const isDue = taken.slice(0, at).some((before) => before.work === work)
    const of = held[at] == null ? null : taken[held[at]]
    const isRight = of?.work === work
    due += isDue ? 1 : 0
    found += isDue && isRight ? 1 : 0
    wrong += of != null && !isRight ? 1 : 0
    if (values.show && isDue !== (of != null && isRight))
      console.error(`${path}: held as a copy of ${of?.path ?? 'nothing'}`)
  }
  return [
    { what: 'documents compared with those before them', value: taken.length, unit: '' },
    atLeast('copies in another format that are held', (100 * found) / Math.max(1, due), '%', TARGET),
    { what: 'such copies', value: `${found} of ${due}`, unit: '' },
    atMost('other documents held as copies', wrong, '', 0)
  ]
}
