import * as v from 'valibot'
import { number, numberOrNull, text, textOrNull, texts } from './common.ts'

/** The models of meaning of the owner. */
export const modelsAnswer = v.object({
  models: v.array(
    v.object({
      name: text,
      bytes: v.pipe(number, v.description('Of both files.')),
      dims: v.pipe(numberOrNull, v.description('Numbers in a vector.')),
      words: v.pipe(numberOrNull, v.description('Tokens of its vocabulary.')),
      refused: v.pipe(textOrNull, v.description('Why it cannot be used.')),
      in_use: v.boolean()
    })
  ),
  halves: v.array(v.object({ name: text, here: texts, missing: texts })),
  absent: textOrNull,
  looking: v.pipe(v.boolean(), v.description('One of them is being opened.'))
})
