import * as v from 'valibot'
import { strictObject } from '../../platform/config/object.ts'
import { MOST_ASKED, type PeerAnswer, SUM_LETTERS } from './peer-question.ts'

/** The bodies of a question and its answer (`POST /api/standby/question`), whoever sends them. */

const sum = v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${SUM_LETTERS}}$`), 'a sum is 32 hexadecimal digits'))

export const peerQuestionSchema = strictObject({
  nonce: v.pipe(sum, v.description('Chance of the asker: the answer is made with it.')),
  asked: v.pipe(
    v.array(strictObject({ channel: sum, alert: sum, said: sum })),
    v.maxLength(MOST_ASKED, `at most ${MOST_ASKED} messages`),
    v.description(
      'The messages that wait there: sums of channel, of alert and revision, and of how gravely it is said.'
    )
  ),
  proof: v.pipe(sum, v.description('The sum of it all, made with the secret of the stations.'))
})

export const peerAnswerSchema = strictObject({
  words: v.pipe(
    v.array(sum),
    v.maxLength(MOST_ASKED),
    v.description('For each message a sum that only stations of the secret can read.')
  ),
  proof: sum
})

/** Null for what is no answer. */
export function readAnswer(came: unknown): PeerAnswer | null {
  const read = v.safeParse(peerAnswerSchema, came)
  return read.success ? read.output : null
}
