/**
 * What the values of a reason are. `text` is a name, a title or somebody else's words and is never translated; `word` is one of the
 * program's own (`cancelled`), which has a translation; `time` is epoch milliseconds; `list`, `any`, `all` and `within` are several
 * names, joined by commas, "or", "and" and "in"; `reason` is a reason again.
 */
export type Kind = 'number' | 'time' | 'text' | 'word' | 'list' | 'any' | 'all' | 'within' | 'reason'

export type Codes = Readonly<Record<string, Readonly<Record<string, Kind>>>>
