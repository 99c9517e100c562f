import t from 'tap'
import { shelf } from './shelf.ts'

t.test('R5: a document of thousands of passages that is filed elsewhere is found there at once, wholly', async (t) => {
  const { setup, file, ask, index } = await shelf(t)
  const texts = Array.from({ length: 2600 }, (_, at) => `Passage ${at} about goats and word${at} of the herd.`)
  const id = await file(texts, { title: 'Goats', domain: 'Medical', path: 'library/Medical/Goats.pdf' })
  const before = index.db.sql('SELECT count(*) AS count FROM indexed').get()
  setup.catalogue.decideDomain(id, 'Foundational Skills')
  setup.catalogue.update(id, { path: 'library/Foundational-Skills/Goats.pdf' })
  // The first, one beyond the two thousandth, the last: no place or name of a file is stored with passages.
  for (const word of ['word0', 'word2100', 'word2599']) {
    t.match(
      (await ask(word, { domain: 'Foundational Skills' })).results,
      [{ title: 'Goats', domain: 'Foundational Skills' }],
      word
    )
    t.same((await ask(word, { domain: 'Medical' })).results, [], word)
  }
  t.same(index.db.sql('SELECT count(*) AS count FROM indexed').get(), before, 'nothing had to be written')
})
