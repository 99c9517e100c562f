/** The tokenizer keeps a list as long as the largest number of a token: one of a billion would hold the program for minutes. */
const MOST_TOKEN = 4_000_000
/** No word, mark or pattern is longer; a longer one makes every text as long, and its reading slower than it grows. */
const LONGEST_TEXT = 500
/** Bytes of a table, as text, and not a word. */
const TABLE_OF_LETTERS = 'precompiled_charsmap'

/** The parts of a `tokenizer.json` that are looked at before it is used. */
interface TokenizerFile {
  added_tokens?: unknown
  model?: { unk_token?: unknown; unk_id?: unknown; vocab?: unknown } | null
}

/** The number of the token that stands for what the vocabulary does not have; null when there is none. */
export function unknownToken({ model }: TokenizerFile): number | null {
  const { unk_token: token, unk_id: id, vocab } = model ?? {}
  const named = typeof token === 'string' && isRecord(vocab) ? vocab[token] : id
  return typeof named === 'number' ? named : null
}

/** False for a file that would cost the tokenizer more than its size lets expect: it is its owner's, and may be anything. */
export function isBounded(file: TokenizerFile): boolean {
  const { added_tokens: added, model, ...settings } = file
  const { vocab, ...rules } = model ?? {}
  const listed = isRecord(vocab) ? vocab : {}
  const pieces = Array.isArray(vocab) ? vocab : []
  return (
    Object.values(listed).every(isNumber) &&
    Object.keys(listed).every(isShort) &&
    pieces.every((piece) => !Array.isArray(piece) || isShort(piece[0])) &&
    listOf(added).every((token) => !isRecord(token) || (isNumber(token['id'] ?? 0) && areShort(token))) &&
    areShort(settings) &&
    areShort({ ...rules, merges: null })
  )
}

/** Every text within it is. */
function areShort(value: unknown): boolean {
  if (typeof value === 'string') return isShort(value)
  if (Array.isArray(value)) return value.every(areShort)
  if (!isRecord(value)) return true
  return Object.entries(value).every(([name, one]) => name === TABLE_OF_LETTERS || areShort(one))
}

const isShort = (text: unknown): boolean => typeof text !== 'string' || text.length <= LONGEST_TEXT

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < MOST_TOKEN

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
