import { sha256Hex } from '../../src/platform/bytes/hash.ts'
import { sampleDocx, sampleEpub, sampleMobi, samplePdf, sampleText } from '../helpers/documents.ts'

/** A file somebody uploads, and the word by which it must be found. */
export interface IngestFile {
  name: string
  hash: string
  bytes: Buffer
  /** Stands in no other file. */
  word: string
}

const WORDS =
  `water river bridge road fire smoke wind storm shelter roof timber nail hammer saw rope knot tent blanket stove fuel
  lantern battery panel cable radio antenna mast signal channel frequency relay message station map compass bearing ridge
  valley creek spring well pump filter bleach boil bottle barrel cistern garden seed soil compost bean potato onion maize
  goat chicken fence gate barn hay tractor engine oil brake tyre wheel axle wrench bolt spare truck trailer chain bandage
  wound splint fever dose tablet clinic nurse patient pulse breath burn cut infection soap towel latrine trench drain sand
  gravel stone cement brick wall window door lock guard patrol watch whistle rescue search team leader council meeting plan
  list ration flour salt sugar rice can jar smoke-house drying pickling pantry cellar shelf stock depot convoy route fuelling
  generator inverter turbine dam gauge flood levee pumphouse snow avalanche slope rescue-sled ski helmet glove boot stocking
  coat wool leather needle thread patch repair workshop lathe file drill anvil forge charcoal coal kiln pottery glass paper
  ink press book teacher lesson child school song story clock calendar moon star season harvest autumn winter summer`
    .split(/\s+/)
    .filter((word) => word !== '')

/** Marks that no other text has and that stemming leaves alone. */
function mark(n: number): string {
  const letters = 'bdfghjklmnprtvz'
  let rest = n + 7
  let word = 'q'
  for (let step = 0; step < 4; step++) {
    word += (letters[rest % letters.length] ?? 'b') + 'aou'[rest % 3]
    rest = Math.floor(rest / letters.length) + 11 * (step + 1)
  }
  return `${word}x`
}

function paragraph(random: () => number): string {
  const sentences = Array.from({ length: 5 }, () => {
    const words = Array.from({ length: 12 }, () => WORDS[Math.floor(random() * WORDS.length)] ?? 'water')
    return `The ${words.join(' ')} is there.`
  })
  return sentences.join(' ')
}

const KINDS = ['pdf', 'txt', 'epub', 'pdf', 'txt', 'docx', 'pdf', 'txt', 'mobi', 'pdf'] as const

/** File number `n` of a seeded set: real ones of every kind that can be made without a converter. */
export async function ingestFile(n: number, random: () => number): Promise<IngestFile> {
  const word = mark(n)
  const kind = KINDS[n % KINDS.length] ?? 'pdf'
  const title = `Handbook ${n} of ${word}`
  const pages = Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () => `${paragraph(random)}\n\nThe word ${word} stands here.\n\n${paragraph(random)}`
  )
  const chapters = pages.map((text, page) => ({ title: `Part ${page + 1}`, paragraphs: text.split('\n\n') }))
  const bytes = await {
    pdf: () => samplePdf(pages, { title, author: `Author ${word}` }),
    txt: () => sampleText(pages.join('\n\n')),
    epub: () => sampleEpub(chapters, { title, author: `Author ${word}` }),
    docx: () =>
      sampleDocx(
        pages.flatMap((text) => text.split('\n\n')),
        { title, author: `Author ${word}` }
      ),
    mobi: () => sampleMobi(chapters, { title, author: `Author ${word}` })
  }[kind]()
  return { name: `${title}.${kind}`, hash: sha256Hex(bytes), bytes, word }
}
