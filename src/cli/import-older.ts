import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { Document } from 'yaml'
import { because } from '../model/reason.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { errorCode } from '../platform/files/atomic-file.ts'
import { exportsOf } from '../platform/process/exports-of.ts'
import { judgeConfig, problemText } from '../settings/document.ts'
import type { Note, NoteCode } from '../settings/older/notes.ts'
import { translateOlder } from '../settings/older/translate.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout import FILE… [--out FILE] [--mute-disabled]

Reads the YAML of the earlier system (areas, matrix, policies, rules, destinations, radios) and makes a config.json of it. Its
settings stand in several files: name them all. Nothing of a station is changed: judge what comes out with lookout check-config.
  --out FILE       writes the configuration there; an existing file is not overwritten (default: stdout)
  --mute-disabled  cells that are switched off send nothing and let nothing else send (mute); else their family's policy decides

stderr: FILE:LINE: what became of every entry: taken, changed or left out
exit codes: 0 done · 1 a file cannot be written · 2 wrong usage, or no YAML · 3 what comes out is no valid configuration · 4 a file is missing
`

/** More than any station ever had. */
const MOST_BYTES = 4 * 1024 * 1024

const WORDS: Readonly<Record<NoteCode, string>> = {
  as_it_is: 'taken as it is',
  other_name: 'taken under another name',
  box: 'taken as a box',
  whole_box: 'taken as an area without a name: it has no column in the matrix',
  radio: 'taken into a radio',
  broadcast: 'changed: a broadcast of its own words',
  rule_off:
    'changed: switched off, because an entry of it is not known here and may have narrowed what it sends; read it, then switch it on',
  tagging_on: 'changed: named areas are tagged, which the older system did without being asked',
  matrix_switch: 'changed: a switch above those of the networks, which was not there before, is on when one of them is',
  network_off:
    'changed: off as before, so no cell sends there; policies and rules, which did before, no longer broadcast there what a cell matches',
  muted: 'changed: switched off, so it sends nothing and nothing else sends (mute)',
  falls_through: 'changed: switched off, so the policy of the family decides; --mute-disabled keeps it silent',
  channel_zero: 'changed: no channel was sent as channel 0, which stands there now',
  critical_level: 'changed: the level critical, which was not there before, goes where immediate goes',
  room_server: 'left out: rooms of MeshCore are not sent to',
  secret_of_environment: 'left out: a value of the environment; write it into the new configuration yourself',
  schedule_without_text: 'left out: only plain times with words of their own and one channel become a broadcast',
  no_counterpart: 'left out: has no counterpart here',
  not_readable: 'left out: not what is expected there'
}

/** A file with the lines its entries stand in. */
interface OlderFile {
  name: string
  value: unknown
  /** Counts from 1; null for what does not stand in this file. */
  lineOf: (path: readonly string[]) => number | null
}

/** `lookout import`. Answers 0, or 3 where the result is refused. @throws AppError `usage`, `missing`, `bad-input`. */
export async function importOlder(args: string[], context: Pick<VerbContext, 'out' | 'err'>): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { out: { type: 'string' }, 'mute-disabled': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  if (positionals.length === 0) throw new AppError('usage', because('import_names_files'))
  const files = await Promise.all(positionals.map(readOlder))
  const { config, notes } = translateOlder(
    files.map(({ value }) => value),
    { muteDisabled: values['mute-disabled'] === true }
  )
  for (const note of notes)
    context.err(`${placeOf(note, files)}: ${WORDS[note.code]}${note.to === '' ? '' : ` → ${note.to}`}\n`)
  const text = `${JSON.stringify(config, null, 2)}\n`
  const judged = judgeConfig(Buffer.from(text), values.out ?? 'config.json')
  if (!judged.ok) {
    for (const problem of judged.problems) context.err(`error: ${problemText(problem)}\n`)
    return 3
  }
  const counts = (['taken', 'changed', 'left'] as const).map(
    (kind) => notes.filter((note) => note.kind === kind).length
  )
  context.err(`${counts[0]} taken, ${counts[1]} changed, ${counts[2]} left out\n`)
  if (values.out === undefined) context.out(text)
  else await writeNew(values.out, text)
  return 0
}

/** The bytes of one file as values, and where they stand. */
async function readOlder(file: string): Promise<OlderFile> {
  const text = await textOf(file)
  const { LineCounter, parseDocument } = exportsOf(await import('yaml'))
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' })
  const [broken] = document.errors
  if (broken !== undefined) throw new AppError('bad-input', because('cannot_read_file', { file, said: broken.message }))
  const lineOf = (path: readonly string[]): number | null => {
    const node = document.getIn(path, true)
    const range =
      typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? node.range : null
    return typeof range?.[0] === 'number' ? lines.linePos(range[0]).line : null
  }
  return { name: basename(file), value: unfolded(document, file), lineOf }
}

/** The values of a document, its aliases followed as long as that ends. */
function unfolded(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new AppError('bad-input', because('cannot_read_file', { file, said: errorText(error) }))
  }
}

async function textOf(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8')
    if (text.length > MOST_BYTES) throw new AppError('bad-input', because('import_file_too_large', { file }))
    return text
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('missing', because('cannot_read_file', { file, said: errorText(error) }))
  }
}

function placeOf({ path }: Note, files: readonly OlderFile[]): string {
  for (const { name, lineOf } of files) {
    const line = lineOf(path) ?? lineOf(path.slice(1))
    if (line !== null) return `${name}:${line}: ${path.join('.')}`
  }
  return path.join('.')
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new AppError('usage', because('import_file_exists', { file }))
    throw error
  }
}
