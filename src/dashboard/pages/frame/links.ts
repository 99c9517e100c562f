/** Addresses of one thing. An id may hold any character; `.` and `..` mean something else in a path, so they go beside it. */

interface EventName {
  id: string
  /** Named when several sources may use the id. */
  source?: string
  /** One stored message instead of the newest. */
  seq?: number
}

/** The page of an event. */
export function eventPath({ id, source, seq }: EventName): string {
  return named('/events', id, { source, seq })
}

/** The same as JSON, with its trace. */
export function eventApiPath({ id, source }: EventName): string {
  return `/api/events/${encodeURIComponent(id)}${source === undefined ? '' : `?source=${encodeURIComponent(source)}`}`
}

/** Who was told of it. */
export function reportPath({ id, source }: EventName): string {
  return `/exercise-report?${new URLSearchParams({ event: id, ...(source === undefined ? {} : { source }) })}`
}

/** Every message of a thread. */
export function threadPath(threadId: string): string {
  return `/deliveries?${new URLSearchParams({ thread: threadId })}`
}

/** One message: the list from it downwards, with itself at the head. */
export function deliveryPath(id: number): string {
  return `/deliveries?cursor=${id + 1}#d${id}`
}

function named(path: string, id: string, more: Readonly<Record<string, string | number | undefined>>): string {
  const isDots = id === '.' || id === '..'
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(isDots ? { id, ...more } : more))
    if (value !== undefined) query.set(name, String(value))
  return `${path}/${isDots ? 'id' : encodeURIComponent(id)}${query.size === 0 ? '' : `?${query}`}`
}

/** The page of a document, at one of its pages, with the words of a question marked. */
export function documentPath(hash: string, at: { page?: number; q?: string } = {}): string {
  const query = new URLSearchParams()
  if (at.page !== undefined) query.set('page', String(at.page))
  if (at.q !== undefined && at.q !== '') query.set('q', at.q)
  const anchor = at.page === undefined ? '' : '#p'
  return `/documents/${hash}${query.size === 0 ? '' : `?${query}`}${anchor}`
}
