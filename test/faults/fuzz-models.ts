import { dirname, join } from 'node:path'
import { NoSafetensors, openSafetensors } from '../../src/knowledge/enrich/embed/safetensors.ts'
import { StaticEmbedder } from '../../src/knowledge/enrich/embed/static.ts'
import { areasOf, sizesOf } from '../../src/knowledge/enrich/page-pictures.ts'
import { safetensors, wordPieces } from '../helpers/static-model.ts'
import { must, ofBytes, ofJson, ofText, type Parser } from './fuzz-parser.ts'
import { scratchFile } from './fuzz-scratch.ts'

const ROWS = [
  [1, 0.5],
  [0, -1],
  [0.25, 2]
]
const WORDS = ['boil', 'water']
const NEVER = new AbortController().signal

/** A file of numbers as its owner brings it: every row that it says it has is one of numbers, or is refused. */
function readTables(bytes: Uint8Array): void {
  const file = openSafetensors(scratchFile('rows.safetensors', bytes))
  try {
    for (const table of file.tables.values()) {
      must(table.rows >= 0 && table.columns >= 0, 'a table of less than nothing')
      for (let at = 0; at < Math.min(table.rows, 4); at++) {
        const row = rowOrNull(() => table.row(at))
        must(
          row === null || (row.length === table.columns && row.every(Number.isFinite)),
          'a row that holds no numbers'
        )
      }
    }
  } finally {
    file.close()
  }
}

function rowOrNull(read: () => Float64Array): Float64Array | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof NoSafetensors) return null
    throw error
  }
}

let embedder: StaticEmbedder | null = null
let cases = 0

/** One embedder for all: each keeps its file of numbers open. It sees by size and time that its file is another one. */
async function embedWith(tokenizer: string): Promise<void> {
  const folder = dirname(scratchFile('models/own/tokenizer.json', tokenizer + ' '.repeat(++cases % 64)))
  if (embedder === null) {
    scratchFile('models/own/model.safetensors', safetensors({ embeddings: { type: 'F32', rows: ROWS } }))
    embedder = new StaticEmbedder(join(folder, '..'), 'own')
  }
  const vectors = await embedder.embed(['Boil the water', '', 'wäßrig\u0000 水'], NEVER)
  must(vectors.length === 3, 'as many vectors as texts')
  for (const vector of vectors) must(vector.length === 2 && vector.every(Number.isFinite), 'a vector of no numbers')
}

const LISTED = `page   num  type   width height color comp bpc  enc interp  object ID x-ppi y-ppi size ratio
--------------------------------------------------------------------------------------------
   1     0 image    1654  2339  gray    1   8  jpeg   no         8  0   200   200  341K 9.0%
   1     1 smask    1654  2339  gray    1   8  image  no         9  0   200   200  341K 9.0%
   2     2 stencil    10    10  -       1   1  image  no   [inline]     72    72   12B 96%
`
const SIZES = `Pages:           2
Page    1 size:  595.32 x 841.92 pts (A4)
Page    1 rot:   0
Page    2 size:  612 x 792 pts (letter)
`

/** Readers of models that their owner brings, and of what programs say of the pictures of a page. */
export const MODEL_PARSERS: readonly Parser[] = [
  ofBytes({
    name: 'safetensors',
    covers: ['knowledge/enrich/embed/safetensors.ts openSafetensors'],
    corpus: [
      safetensors({ embeddings: { type: 'F32', rows: ROWS } }),
      safetensors({
        embeddings: { type: 'F16', rows: ROWS },
        mapping: { type: 'I64', rows: [[0], [2]], isList: true },
        weights: { type: 'F64', rows: [[1], [0.5]], isList: true }
      }),
      safetensors({ embeddings: { type: 'I8', rows: ROWS } })
    ],
    inPlace: true,
    refuses: (error) => error instanceof NoSafetensors,
    run: readTables
  }),
  ofJson({
    name: 'tokenizer',
    covers: ['static.ts StaticEmbedder', 'tokenizer-file.ts isBounded'].map((one) => `knowledge/enrich/embed/${one}`),
    corpus: [
      wordPieces(WORDS),
      {
        version: '1.0',
        added_tokens: [],
        normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' }] },
        pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
        post_processor: null,
        decoder: null,
        model: {
          type: 'Unigram',
          unk_id: 0,
          vocab: [
            ['<unk>', 0],
            ['▁boil', -2],
            ['▁water', -3]
          ]
        }
      }
    ],
    run: embedWith
  }),
  ofText({
    name: 'page-pictures',
    covers: ['areasOf', 'sizesOf'].map((one) => `knowledge/enrich/page-pictures.ts ${one}`),
    corpus: [LISTED, SIZES],
    words: ['image', 'smask', 'inline]', ' -1 ', ' 1e308 ', ' 0x10 ', 'Page ', ' size: ', ' x ', ' pts'],
    run: (text) => {
      for (const [page, area] of areasOf(text)) must(page >= 0 && area >= 0, 'a picture of less than nothing')
      for (const [page, area] of sizesOf(text))
        must(page >= 0 && (Number.isNaN(area) || area >= 0), 'a page of less than nothing')
    }
  })
]
