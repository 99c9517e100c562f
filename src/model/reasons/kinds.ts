/**
 * Kinds of values that a reason can have. `text` is a name, a title or somebody else's words and is never translated;
 * `word` is one of the program's own (`cancelled`), which has a translation; `time` is epoch milliseconds; `list`,
 * `any`, `all` and `within` are several names, joined by commas, "or", "and" and "in"; `channel` is the key of one
 * (`mt:3`), said as people name it, `channels`, `anyChannel` and `allChannels` are several; `reason` is a reason again,
 * `begun` one that begins a sentence; `reasons`, `causes` and `sentences` are several reasons, joined by commas,
 * semicolons and blanks.
 */
export type Kind =
  | 'number'
  | 'time'
  | 'text'
  | 'word'
  | 'list'
  | 'any'
  | 'all'
  | 'within'
  | 'channel'
  | 'channels'
  | 'anyChannel'
  | 'allChannels'
  | 'reason'
  | 'begun'
  | 'reasons'
  | 'causes'
  | 'sentences'

export type Codes = Readonly<Record<string, Readonly<Record<string, Kind>>>>
