import { jsonOr } from '../platform/bytes/json-or.ts'
import { httpSend } from '../platform/net/post.ts'
import { ANSWER_MS, type AskPeer } from '../warning/outbox/peer-asker.ts'

/** An answer about sixteen messages is 600 bytes. */
const MOST_BYTES = 4096

/**
 * Asks another station over HTTP (docs/interface.md §6, *Two stations*). The address is the operator's, as that of a webhook: no redirect is
 * followed, no proxy is used, and nothing but the question goes out. A refusal is an answer too, that nobody believes.
 */
export const askPeerOverHttp: AskPeer = async (address, question) => {
  const { status, body } = await httpSend({
    url: new URL('/api/standby/question', address).href,
    userAgent: 'Lookout',
    json: question,
    maxBytes: MOST_BYTES,
    totalMs: ANSWER_MS
  })
  return status === 200 ? jsonOr(null, Buffer.from(body).toString()) : null
}
