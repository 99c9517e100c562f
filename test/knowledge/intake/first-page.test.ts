import t, { type Test } from 'tap'
import type { Metadata } from '../../../src/knowledge/catalogue/document.ts'
import { readFirstPages } from '../../../src/knowledge/intake/first-page.ts'
import { noticeYear } from '../../../src/knowledge/intake/stated-year.ts'
import { usableAuthor, usableTitle } from '../../../src/knowledge/intake/title-text.ts'

/** The first lines of real manuals, and the facts that somebody reads there. */
type Case = readonly [page: string, facts: Partial<Metadata>]

function holds(t: Test, cases: readonly Case[]): void {
  for (const [page, facts] of cases) t.match(readFirstPages(page), facts, page.split('\n', 1)[0] ?? '')
}

t.test(
  'the year is the last of a range or a list in the notice of copyright, of several notices the latest',
  async (t) => {
    for (const [notice, year] of [
      ['Copyright c 1988–2022 Free Software Foundation, Inc.', '2022'],
      ['Copyright © 1990, 1995–2001 The Authors', '2001'],
      ['(C) 2004-2020 Osamu Aoki', '2020'],
      ['Copyright (C) John Smith 1999-2003', '2003'],
      ['© 1988, 1991, 1993,\n1994 X Consortium', '1994'],
      ['Copyright © 1998-2002 Josip Rodin\nCopyright © 2005-2015 Osamu Aoki\nCopyright © 2010 Craig Small', '2015'],
      ['c 1995 Björn Beutel.\nCopyright ⃝', '1995'],
      ['The Copyright Act of 1976 was changed.', ''],
      ['59 Temple Place, Suite 330, Boston, MA 02111-1307', ''],
      ['Copyright (C) 2007 Free Software Foundation. Everyone is permitted to copy', '']
    ] as const)
      t.equal(noticeYear(notice.split('\n')), year, notice)
    t.equal(
      readFirstPages('A Book\n\nCopyright © 2001 Ann Lee\n\nOne.\nTwo.\nThree.\nFour.\n© 2019 of a picture').year,
      '2001'
    )
  }
)

t.test('a date of the title page is the year where no notice gives one; a year in the text is none', async (t) => {
  holds(t, [
    ['R FAQ\nFrequently Asked Questions on R\nVersion 2022-09-08\n\nKurt Hornik', { year: '2022' }],
    ['the manual\nStefan Klein and Marius Staring\n03.11.2022', { year: '2022' }],
    ['Stealth V.4.03.03\n\nFrank B. Brokken\n\n2005-2022\n\fContents', { year: '2022' }],
    ['Predictor Effects Gallery\n\nJohn Fox\n\n2018-12-19, minor revisions 2020-02-08', { year: '2020' }],
    [
      'Spatial Data\n\nEdzer Pebesma\n\nFeb 2005\n\n1 Introduction\nAs Chambers (1998) says, it is so.',
      { year: '2005' }
    ],
    ['Getting started\n\nHow to use it was told by Diggle et al. (1998), and by Pebesma in 2004 as well.', { year: '' }]
  ])
})

t.test('two capital words at the top are the title; the author is who stands below', async (t) => {
  holds(t, [
    [
      'R Internals\nVersion 4.2.2 Patched (2022-11-10)\n\nR Core Team\n\f',
      { title: 'R Internals', author: 'R Core Team' }
    ],
    [
      'Debian Reference\n\n        Osamu Aoki\n\nCopyright © 2013-2021 Osamu Aoki',
      { title: 'Debian Reference', author: 'Osamu Aoki' }
    ],
    [
      'Population contrasts\n\nTerry M Therneau\nMayo Clinic\n\nFebruary 6, 2023',
      { title: 'Population contrasts', author: 'Terry M Therneau' }
    ],
    ['Root Cellaring\nNatural Cold Storage\n\n', { title: 'Root Cellaring', author: '' }],
    ['Mike Bubel\n\nThe Book of Cellars for Everyone\n\n1991', { title: 'The Book of Cellars for Everyone' }]
  ])
})

t.test('a title goes on in the next line where the line ends in the middle or the next begins small', async (t) => {
  holds(t, [
    [
      'Map overlay and\nspatial aggregation in sp\n\nEdzer Pebesma∗\n\nJanuary 19, 2023',
      { title: 'Map overlay and spatial aggregation in sp', author: 'Edzer Pebesma' }
    ],
    [
      'MrBayes version 3.2 Manual: Tutorials and Model\nSummaries\nFredrik Ronquist, John Huelsenbeck, Maxim Teslenko and Johan Nylander\nDraft version, February 2019',
      {
        title: 'MrBayes version 3.2 Manual: Tutorials and Model Summaries',
        author: 'Fredrik Ronquist, John Huelsenbeck, Maxim Teslenko, Johan Nylander',
        year: '2019'
      }
    ],
    [
      'Bash Reference Manual\nReference Documentation for Bash\nEdition 5.2\nSeptember 2022\n\nChet Ramey, Case Western Reserve University\nBrian Fox, Free Software Foundation',
      { title: 'Bash Reference Manual', author: 'Chet Ramey, Brian Fox', year: '2022' }
    ]
  ])
})

t.test('classifications, addresses, versions, dates and teams are no titles', async (t) => {
  holds(t, [
    [
      'UNCLASSIFIED\n\nProgrammer’s Guide for\nMSP Geographic Translator\n\nDate:\n\n18 February 2016',
      { title: 'Programmer’s Guide for MSP Geographic Translator', year: '2016', author: '' }
    ],
    [
      "Debian Developer's Reference\n****************************\n\nDeveloper's Reference Team <developers-reference@packages.debian.org>\n\n* Copyright © 2019 - 2023 Holger Levsen",
      { title: "Debian Developer's Reference", author: "Developer's Reference Team", year: '2023' }
    ],
    [
      'C++ Annotations Version 12.2.0\n\nFrank B. Brokken\n\nUniversity of Groningen,\nPO Box 407,\n9700 AK Groningen',
      { title: 'C++ Annotations Version 12.2.0', author: 'Frank B. Brokken' }
    ],
    [
      'gputils 1.4.0\nJames Bowman, Craig Franklin and Molnár Károly\nSep 27, 2014\n\fContents',
      { title: 'Gputils 1.4.0', author: 'James Bowman, Craig Franklin, Molnár Károly', year: '2014' }
    ],
    [
      'The anonymous ID defines the user to be used for requests which have no credentials. Setting it is dangerous.',
      { title: '', author: '' }
    ]
  ])
})

t.test('what a program or an account wrote into a file is no title and no author', async (t) => {
  for (const account of ['jenki300', 'eppparekh', 'brianc', 'NAL User', 'e296830', 'Administrator', 'ttaka'])
    t.equal(usableAuthor(account), '', account)
  t.equal(
    usableAuthor("Developer's Reference Team <developers-reference@packages.debian.org>"),
    "Developer's Reference Team"
  )
  t.equal(usableAuthor('Copyright (c) 2002-2017 Costa Tsaousis costa@firehol.org'), 'Costa Tsaousis')
  t.equal(usableAuthor('Maxime Lavigne (malavv)'), 'Maxime Lavigne')
  t.equal(usableAuthor('Wookey'), 'Wookey')
  for (const junk of [
    'Microsoft Word - x.doc',
    'untitled',
    'gputils.dvi',
    'developers-reference',
    'PowerPoint Presentation'
  ])
    t.equal(usableTitle(junk), '', junk)
  t.equal(usableTitle('SiSU: - Live Systems Manual'), 'Live Systems Manual')
  t.equal(usableTitle('The Therion Book 6.1.6 (2023-01-11)'), 'The Therion Book 6.1.6')
  t.equal(usableTitle('Knots'), 'Knots')
})

t.test('a page of a million signs without a line is read in a moment', async (t) => {
  const began = performance.now()
  for (const page of [
    'a@'.repeat(500_000),
    'Ann Lee, '.repeat(100_000),
    `${'(c) '.repeat(1000)}\n`.repeat(250),
    'X. '.repeat(300_000)
  ])
    readFirstPages(page)
  t.ok(performance.now() - began < 2000, `${performance.now() - began} ms`)
})
