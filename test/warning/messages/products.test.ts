import t from 'tap'
import { productFiles, productsIn, told } from './written.ts'

/**
 * Every product with the texts that an editor of warnings wrote from it before the program did. `#### zone of the station | what it is`, the
 * product, `==== ` and a text for each message, in order. Where the program's text was judged better than the editor's, that stands
 * behind `==== by hand: `; it is not compared.
 */
for (const file of productFiles()) {
  t.test(`${file}: every text reads as an editor wrote it`, async (t) => {
    for (const written of productsIn(file)) t.strictSame(await told(written), written.texts, written.name)
  })
}
