import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { SaxesParser } from 'saxes'
import t from 'tap'
import { manifestOf, writeManifest } from '../../../src/knowledge/library/manifest.ts'
import { anyText } from '../../helpers/any-text.ts'
import { source } from '../../helpers/archives.ts'
import { inWords } from '../../helpers/in-words.ts'

function booksIn(text: string): Record<string, string>[] {
  const books: Record<string, string>[] = []
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'book') books.push({ ...attributes })
  })
  parser.write(text).close()
  return books
}

t.test('the file for the server names every present archive by its own id (Z1), with a relative path', async (t) => {
  const rows = [
    source(2, { filename: 'b.zim', title: 'B & "C" <d>', description: 'two\nlines' }),
    source(1, { sizeBytes: 2049, articleCount: 7 }),
    source(3, { state: 'missing' }),
    source(4, { state: 'removing' })
  ]
  const { text, books, leftOut } = manifestOf(rows)
  t.same(
    books.map(({ id }) => id),
    [1, 2]
  )
  t.same(leftOut, [])
  t.same(booksIn(text), [
    {
      id: source(1).uuid,
      path: 'archive-1.zim',
      title: 'Archive 1',
      description: 'About 1',
      language: 'eng',
      date: '2026-07-01',
      articleCount: '7',
      size: '3'
    },
    {
      id: source(2).uuid,
      path: 'b.zim',
      title: 'B & "C" <d>',
      description: 'two\nlines',
      language: 'eng',
      date: '2026-07-01',
      articleCount: '10',
      size: '1'
    }
  ])
})

t.test('of two files the server cannot tell apart the later is left out, with the reason', async (t) => {
  const rows = [
    source(1, { filename: 'Wells.zim' }),
    source(2, { filename: 'copy.zim', uuid: source(1).uuid }),
    source(3, { filename: 'wells.zim' })
  ]
  const { books, leftOut } = manifestOf(rows)
  t.same(
    books.map(({ id }) => id),
    [1]
  )
  t.match(inWords(leftOut), [
    { source: { id: 2 }, reason: 'it is the same archive as Wells.zim' },
    { source: { id: 3 }, reason: /cannot tell its name from Wells\.zim/ }
  ])
  const others = manifestOf([source(2, { filename: 'copy.zim', uuid: source(1).uuid })])
  t.same(others.books.length, 1, 'it comes in when the first is gone')
})

t.test('whatever stands in an archive, the file is well-formed and keeps the text', async (t) => {
  await fc.assert(
    fc.property(anyText(), fc.string({ unit: 'grapheme' }), (title, description) => {
      const [book] = booksIn(manifestOf([source(1, { title, description })]).text)
      const kept = (text: string) => text.replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, '')
      return book?.['title'] === kept(title) && book['description'] === kept(description)
    })
  )
  t.pass('it held')
})

t.test('the file is written only when it says something else, and whole', async (t) => {
  const path = join(t.testdir(), 'library.xml')
  t.equal(await writeManifest(path, manifestOf([source(1)])), true)
  const { ino } = statSync(path)
  t.equal(await writeManifest(path, manifestOf([source(1)])), false)
  t.equal(statSync(path).ino, ino, 'the same file')
  t.equal(await writeManifest(path, manifestOf([])), true)
  t.not(statSync(path).ino, ino, 'a new file in its place')
  t.same(booksIn(readFileSync(path, 'utf8')), [])
})
