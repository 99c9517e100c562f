/** The lot of one entry of an older configuration. */
export type NoteKind = 'taken' | 'changed' | 'left'

/** Why an entry was changed or left out; the verb has the words. */
export type NoteCode =
  | 'as_it_is'
  | 'other_name'
  | 'box'
  | 'whole_box'
  | 'tagging_on'
  | 'matrix_switch'
  | 'network_off'
  | 'room_server'
  | 'muted'
  | 'falls_through'
  | 'channel_zero'
  | 'critical_level'
  | 'broadcast'
  | 'rule_off'
  | 'radio'
  | 'secret_of_environment'
  | 'schedule_without_text'
  | 'no_counterpart'
  | 'not_readable'

/** One line of the report. */
export interface Note {
  kind: NoteKind
  code: NoteCode
  /** Where it stood, from the root of the older configuration. */
  path: readonly string[]
  /** Where it stands now, as a JSON pointer; '' where it was left out. */
  to: string
}

const KINDS: Readonly<Record<NoteCode, NoteKind>> = {
  as_it_is: 'taken',
  other_name: 'taken',
  box: 'taken',
  whole_box: 'taken',
  radio: 'taken',
  broadcast: 'changed',
  rule_off: 'changed',
  tagging_on: 'changed',
  matrix_switch: 'changed',
  network_off: 'changed',
  muted: 'changed',
  falls_through: 'changed',
  channel_zero: 'changed',
  critical_level: 'changed',
  room_server: 'left',
  secret_of_environment: 'left',
  schedule_without_text: 'left',
  no_counterpart: 'left',
  not_readable: 'left'
}

/** The report while it grows, and the configuration beside it. */
export class Translation {
  readonly notes: Note[] = []
  readonly config: Record<string, unknown> = {}

  note(code: NoteCode, path: readonly string[], to = ''): void {
    this.notes.push({ kind: KINDS[code], code, path, to })
  }

  /** Writes a value at its new place and notes it. */
  put(to: readonly string[], value: unknown, from: readonly string[], code: NoteCode = 'as_it_is'): void {
    let at = this.config
    for (const key of to.slice(0, -1)) {
      const next = isBag(at[key]) ? at[key] : {}
      at[key] = next
      at = next
    }
    at[to.at(-1) ?? ''] = value
    this.note(code, from, `/${to.join('/')}`)
  }
}

/** The wishes of whoever imports. */
export interface TranslateOptions {
  /** Cells that were switched off send nothing and let nothing else send either, as a region that was muted. */
  muteDisabled: boolean
}

export type Bag = Record<string, unknown>

export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The entries of an object; none of anything else. */
export const entriesOf = (value: unknown): [string, unknown][] => (isBag(value) ? Object.entries(value) : [])
