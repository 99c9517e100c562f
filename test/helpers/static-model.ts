import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A number of the format, and how it is written. */
const WRITE = {
  F32: { bytes: 4, write: (view: DataView, at: number, value: number) => view.setFloat32(at, value, true) },
  F64: { bytes: 8, write: (view: DataView, at: number, value: number) => view.setFloat64(at, value, true) },
  F16: { bytes: 2, write: (view: DataView, at: number, value: number) => view.setUint16(at, half(value), true) },
  I8: { bytes: 1, write: (view: DataView, at: number, value: number) => view.setInt8(at, Math.round(value * 100)) },
  I64: { bytes: 8, write: (view: DataView, at: number, value: number) => view.setBigInt64(at, BigInt(value), true) }
} as const
export type NumberType = keyof typeof WRITE

export interface Table {
  type: NumberType
  rows: readonly (readonly number[])[]
  /** A list has rows of one number and one dimension. */
  isList?: true
}

/** Exact for the halves and quarters of these tests. */
function half(value: number): number {
  if (value === 0) return 0
  const exponent = Math.floor(Math.log2(Math.abs(value)))
  return (
    ((value < 0 ? 1 : 0) << 15) | ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024)
  )
}

/** The bytes of a safetensors file with these tables. */
export function safetensors(tables: Readonly<Record<string, Table>>): Buffer {
  const header: Record<string, object> = { __metadata__: { made: 'by a test' } }
  const parts: Buffer[] = []
  let at = 0
  for (const [name, { type, rows, isList }] of Object.entries(tables)) {
    const { bytes, write } = WRITE[type]
    const columns = rows[0]?.length ?? 0
    const part = Buffer.alloc(rows.length * columns * bytes)
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
    for (const [nth, value] of rows.flat().entries()) write(view, nth * bytes, value)
    const shape = isList ? [rows.length] : [rows.length, columns]
    header[name] = { dtype: type, shape, data_offsets: [at, at + part.length] }
    parts.push(part)
    at += part.length
  }
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Buffer.concat([length, json, ...parts])
}

/** The tokenizer of a BERT with these words; `##s` is a piece that follows. */
export function wordPieces(words: readonly string[]): object {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [
      { id: 0, content: '[UNK]', single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
    ],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(['[UNK]', ...words].map((word, id) => [word, id]))
    }
  }
}

/** A model in a folder, as its owner brings it. `words`: each with its vector; the first row, of what is unknown, is made of ones. */
export function writeModel(
  folder: string,
  words: Readonly<Record<string, readonly number[]>>,
  { type = 'F32', more = {} }: { type?: NumberType; more?: Readonly<Record<string, Table>> } = {}
): void {
  mkdirSync(folder, { recursive: true })
  const [first = []] = Object.values(words)
  const rows = [first.map(() => 1), ...Object.values(words)]
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(wordPieces(Object.keys(words))))
  writeFileSync(join(folder, 'model.safetensors'), safetensors({ embeddings: { type, rows }, ...more }))
}
