import fc from 'fast-check'
import t from 'tap'
import { parseFilename } from '../../../src/knowledge/intake/filename.ts'
import { readFirstPages } from '../../../src/knowledge/intake/first-page.ts'
import {
  editionIn,
  looksLikeName,
  manualNumber,
  titleCased,
  usableAuthor,
  usableTitle
} from '../../../src/knowledge/intake/title-text.ts'
import { anyText } from '../../helpers/any-text.ts'

const NAMES: readonly (readonly [name: string, title: string, author: string, year: string, edition: string])[] = [
  ['Root Cellaring - Mike Bubel (1991) [2nd ed.].pdf', 'Root Cellaring', 'Mike Bubel', '1991', '2nd edition'],
  ['Root_Cellaring_-_Mike_Bubel_(1991).epub', 'Root Cellaring', 'Mike Bubel', '1991', ''],
  ['Patrice Lewis - The Simplicity Primer (2011).pdf', 'The Simplicity Primer', 'Patrice Lewis', '2011', ''],
  ['The Simplicity Primer by Patrice Lewis.mobi', 'The Simplicity Primer', 'Patrice Lewis', '', ''],
  ['The Simplicity Primer (Patrice Lewis) (Z-Library).pdf', 'The Simplicity Primer', 'Patrice Lewis', '', ''],
  ['The Simplicity Primer (Patrice Lewis) (z-lib.org).epub', 'The Simplicity Primer', 'Patrice Lewis', '', ''],
  ['fm_21-76_survival_1992.pdf', 'FM 21-76 Survival', '', '1992', ''],
  ['FM21-76 Survival.pdf', 'FM 21-76 Survival', '', '', ''],
  ['FM 3-05.70 (FM 21-76) Survival [May 2002].pdf', 'FM 3-05.70 (FM 21-76) Survival', '', '2002', ''],
  ['tm9-2320-280-10.pdf', 'TM 9-2320-280-10', '', '', ''],
  ['TM 9-2320-280-10 HMMWV Operator.pdf', 'TM 9-2320-280-10 HMMWV Operator', '', '', ''],
  [
    'FM 4-25.11 First Aid - Department of the Army (2002).pdf',
    'FM 4-25.11 First Aid - Department of the Army',
    '',
    '2002',
    ''
  ],
  ['where-there-is-no-doctor.pdf', 'Where There Is No Doctor', '', '', ''],
  ['where_there_is_no_doctor.pdf', 'Where There Is No Doctor', '', '', ''],
  [
    '[www.freebooks.com] Small Gas Engines 3rd Edition (2005) [PDF].pdf',
    'Small Gas Engines',
    '',
    '2005',
    '3rd edition'
  ],
  ['Small.Gas.Engines.Revised.Edition.2005.pdf', 'Small Gas Engines', '', '2005', 'Revised edition'],
  [
    'Storey’s Guide to Raising Chickens -- Gail Damerow -- 3rd ed., North Adams, 2010 -- Storey Publishing -- 9781603424691 -- 0123456789abcdef0123456789abcdef -- Anna’s Archive.pdf',
    'Storey’s Guide to Raising Chickens',
    'Gail Damerow',
    '2010',
    '3rd edition'
  ],
  [
    'Carla Emery - The Encyclopedia of Country Living (2012, Sasquatch Books) - libgen.li.pdf',
    'The Encyclopedia of Country Living',
    'Carla Emery',
    '2012',
    ''
  ],
  ['The ARRL Handbook 2019.pdf', 'The ARRL Handbook', '', '2019', ''],
  ['1984.pdf', '', '', '', ''],
  ['Cabins of 1910 and After.pdf', 'Cabins of 1910 and After', '', '', ''],
  ['Medicine & Surgery (1).pdf', 'Medicine & Surgery', '', '', ''],
  ['scan0001.pdf', '', '', '', ''],
  ['Untitled(3).docx', '', '', '', ''],
  ['IMG_20200102.pdf', '', '', '', ''],
  ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.pdf', '', '', '', ''],
  ['.pdf', '', '', '', ''],
  ['', '', '', '', '']
]

t.test('U2: the name a file was sent under says what is in it', async (t) => {
  for (const [name, title, author, year, edition] of NAMES)
    t.strictSame(parseFilename(name), { title, author, edition, year }, name)
})

t.test('any name at all is read in a moment, and nothing but plain text comes out', async () => {
  fc.assert(
    fc.property(fc.oneof(anyText({ maxLength: 600 }), fc.string({ maxLength: 600 })), (name) => {
      const facts = Object.values(parseFilename(name))
      return facts.every((fact) => fact === fact.trim() && !/[\p{Cc}\p{Cf}]/u.test(fact) && fact.length <= 300)
    })
  )
  for (const part of ['a.', '(', '( ', '- ', 'by ', 'A. ', '1999 ', 'isbn ', '-- ', 'www.', '97 8'])
    parseFilename(part.repeat(5000))
})

t.test('titles that programs write are not titles, manual numbers are', async (t) => {
  const junk = [
    'Microsoft Word - chapter3.doc',
    'untitled',
    'Untitled-1',
    'Document1',
    'MIL00012A',
    'SCAN_0012',
    'C:\\docs\\x.doc',
    'book.indd',
    '12345',
    'xy',
    '',
    'KMBT_C224-20190101'
  ]
  for (const title of junk) t.equal(usableTitle(title), '', title)
  for (const title of [
    'FM 21-76',
    'TM9-2320',
    'The Book',
    'BASIC FIRST AID',
    'Scanning the Sky',
    'Document Preservation'
  ])
    t.equal(usableTitle(title), title)
  for (const author of ['Administrator', 'unknown', 'user', 'me@example.org', '', 'calibre (3.1)', '42'])
    t.equal(usableAuthor(author), '', author)
  t.equal(usableAuthor('by  Ann_Lee'), 'Ann Lee')
})

t.test('editions, manual numbers, names and casing have one spelling', async (t) => {
  for (const [text, edition] of [
    ['2nd ed.', '2nd edition'],
    ['Second Edition', '2nd edition'],
    ['(12th Edition)', '12th edition'],
    ['Edition 3', '3rd edition'],
    ['Revised and Expanded Edition', 'Revised and expanded edition'],
    ['edited by someone', undefined],
    ['limited', undefined]
  ] as const)
    t.equal(editionIn(text)?.edition, edition, text)
  for (const [text, number] of [
    ['fm 21-76', 'FM 21-76'],
    ['FM_3-05_70', 'FM 3-05-70'],
    ['TM5-301', 'TM 5-301'],
    ['ATP 3-21.8', 'ATP 3-21.8'],
    ['FMX 21', undefined],
    ['FM radio', undefined]
  ] as const)
    t.equal(manualNumber(text)?.number, number, text)
  for (const name of [
    'Patrice Lewis',
    'Lewis, Patrice',
    'J. R. R. Tolkien',
    'Ann Lee & Bob Ray',
    "Liam O'Neil",
    'Ludwig van Beethoven'
  ])
    t.ok(looksLikeName(name), name)
  for (const title of ['Root Cellaring Guide', 'Survival', 'Home Canning', 'how to', '', 'The Smith Family'])
    t.notOk(looksLikeName(title), title)
  t.equal(titleCased('THE ART OF FM 21-76 SURVIVAL'), 'The Art of FM 21-76 Survival')
  t.equal(titleCased('The iPhone'), 'The iPhone')
})

t.test('a title page is read with care; running text is no title', async (t) => {
  t.strictSame(
    readFirstPages(
      'FM 21-76\n\n\nSURVIVAL\n\nHEADQUARTERS, DEPARTMENT OF THE ARMY\n\nWashington, DC, 5 June 1992\n\fCHAPTER 1\nINTRODUCTION\n'
    ),
    { title: 'FM 21-76 Survival', author: '', edition: '', year: '1992' }
  )
  t.strictSame(
    readFirstPages(
      '      Root Cellaring\n  Natural Cold Storage\n\n   by Mike Bubel\n\n\f Copyright © 1979, 1991 by the author. Second Edition.'
    ),
    { title: 'Root Cellaring', author: 'Mike Bubel', edition: '2nd edition', year: '1991' }
  )
  t.strictSame(readFirstPages('THE GREAT BOOK\nOF KNOTS\n\nBY\nJOHN SMITH\n1908\n'), {
    title: 'The Great Book of Knots',
    author: 'John Smith',
    edition: '',
    year: '1908'
  })
  t.strictSame(readFirstPages('it was a dark night, and we walked on.\nNobody spoke.\n').title, '')
  t.strictSame(readFirstPages('Dear Sir,\nthank you for your letter.').title, '')
  t.strictSame(readFirstPages(''), { title: '', author: '', edition: '', year: '' })
})

t.test('a heading of Markdown gives its words as the title; one below running text is that of a part', (t) => {
  const running = 'Boil water for one full minute before you drink it, and keep it under a lid until then.'
  t.equal(readFirstPages(`# Water in the field\n\n${running}\n`).title, 'Water in the field')
  t.equal(readFirstPages(`## Clean Water\n\n${running}\n`).title, 'Clean Water')
  t.equal(readFirstPages(`${running}\n\n# Smoke\n\nSmoke rises in still air.\n`).title, '')
  t.equal(readFirstPages(`# Untitled\n\n${running}\n`).title, '')
  t.end()
})
