import fc from 'fast-check'
import t from 'tap'
import { VOTERS, type Votes, vote } from '../../../src/knowledge/intake/vote.ts'

t.test('alone, the most trusted voter decides each field by itself', async (t) => {
  const votes: Votes = {
    filename: { title: 'c', author: 'd', edition: '1st edition', year: '1990' },
    document: { title: 'a', author: '' },
    'language model': { year: '1991' }
  }
  t.strictSame(vote(votes), {
    metadata: { title: 'a', author: 'd', edition: '1st edition', year: '1991' },
    provenance: {
      chosen: { title: 'document', author: 'filename', edition: 'filename', year: 'language model' },
      said: {
        'language model': { year: '1991' },
        document: { title: 'a' },
        filename: { title: 'c', author: 'd', edition: '1st edition', year: '1990' }
      }
    }
  })
})

t.test('two who agree outvote a more trusted one, in the spelling of the more trusted of the two', async (t) => {
  const found = vote({
    'language model': { title: 'Survival Manual' },
    document: { title: 'FM 21-76: Survival!' },
    filename: { title: 'fm 21 76 survival' }
  })
  t.equal(found.metadata.title, 'FM 21-76: Survival!')
  t.equal(found.provenance.chosen.title, 'agreed(document, filename)')
})

t.test('three beat two, and of equal groups the more trusted counts', async (t) => {
  t.equal(
    vote({
      'language model': { year: '1990' },
      document: { year: '1990' },
      sidecar: { year: '1991' },
      'first page': { year: '1991' },
      filename: { year: '1991' }
    }).metadata.year,
    '1991'
  )
  t.equal(
    vote({
      'language model': { year: '1990' },
      document: { year: '1991' },
      sidecar: { year: '1991' },
      filename: { year: '1990' }
    }).metadata.year,
    '1990'
  )
})

t.test('names agree in either order, accents and case aside', async (t) => {
  const found = vote({ document: { author: 'Núñez, José' }, filename: { author: 'Jose Nunez' } })
  t.equal(found.metadata.author, 'Núñez, José')
  t.equal(found.provenance.chosen.author, 'agreed(document, filename)')
})

t.test(
  'the date of a file decides nothing alone: it is that of a scan or of a build; nobody who speaks means empty, without provenance',
  async (t) => {
    t.equal(vote({ filename: { year: '1992' }, 'file date': { year: '2004' } }).metadata.year, '1992')
    t.equal(vote({ 'file date': { year: '2004' } }).metadata.year, '')
    t.equal(
      vote({ 'first page': { year: '1992' }, filename: { year: '2004' }, 'file date': { year: '2004' } }).metadata.year,
      '2004'
    )
    t.strictSame(vote({}), {
      metadata: { title: '', author: '', edition: '', year: '' },
      provenance: { chosen: {}, said: {} }
    })
  }
)

t.test('what is chosen was said by the voters named, whatever they say', async () => {
  const word = fc.constantFrom('', 'a', 'A ', 'a!', 'b', 'ß', '\u202e', '\u0000', 'c d', 'D, C')
  const facts = fc.record({ title: word, author: word, edition: word, year: word }, { requiredKeys: [] })
  const votes = fc.record(Object.fromEntries(VOTERS.map((voter) => [voter, facts])), { requiredKeys: [] })
  fc.assert(
    fc.property(votes, (cast: Votes) => {
      const { metadata, provenance } = vote(cast)
      return (['title', 'author', 'edition', 'year'] as const).every((field) => {
        const by = provenance.chosen[field]
        if (by === undefined) return metadata[field] === ''
        const first = VOTERS.find((voter) => by === voter || by.startsWith(`agreed(${voter},`))
        return first !== undefined && (cast[first]?.[field] ?? '').trim() === metadata[field]
      })
    })
  )
})
