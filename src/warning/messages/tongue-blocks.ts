import type { LookoutEvent } from '../../model/event.ts'
import { textFact } from './facts.ts'
import type { ComposeRequest } from './request.ts'
import { declaredBy } from './spoken.ts'

/** Words of one alert in a further language of it, as CAP's info blocks hold them (`data.tongues`, by two letters). */
interface TongueBlock {
  event_name?: string
  title?: string
  detail?: string
  instruction?: string
  places?: string[]
}

/** The request with the words of its alert in the channel's language, where its source published them so. */
export function inBlockOf(request: ComposeRequest): ComposeRequest {
  const { language = 'en', event, merged } = request
  const told = toldIn(event, language)
  if (told === event) return request
  // A piece is the event itself where it is the last one: its places would stand there in two languages.
  const pieces = merged?.map((piece) => (piece === event ? told : toldIn(piece, language)))
  return { ...request, event: told, ...(pieces === undefined ? {} : { merged: pieces }) }
}

function toldIn(event: LookoutEvent, language: string): LookoutEvent {
  const block = declaredBy(event) === language ? null : blockOf(event, language)
  return block === null ? event : spokenIn(event, language, block)
}

function blockOf({ data }: LookoutEvent, language: string): TongueBlock | null {
  const { tongues } = data
  if (typeof tongues !== 'object' || tongues === null) return null
  const found = new Map<string, unknown>(Object.entries(tongues)).get(language)
  return typeof found === 'object' && found !== null ? found : null
}

/** Keys that the block has no words for would be those of another language: they go. */
function spokenIn(event: LookoutEvent, language: string, block: TongueBlock): LookoutEvent {
  const { short_text: _short, detail: _detail, instruction: _instruction, ...data } = event.data
  const { title = event.title, ...words } = block
  const cap = data['cap']
  return {
    ...event,
    title,
    summary: '',
    data: {
      ...data,
      ...words,
      ...(typeof cap === 'object' ? { cap: { ...cap, language } } : { language })
    }
  }
}

/**
 * The request with the name that its source has in its own tongue (`data.own_name`), where the text stands in that tongue: an English name
 * before prose that is not English is half of each.
 */
export function inOwnName(request: ComposeRequest): ComposeRequest {
  const { event } = request
  const name = textFact(event.data, 'own_name')
  const spoken = declaredBy(event)
  if (name === '' || spoken === '' || spoken === 'en') return request
  return { ...request, event: { ...event, data: { ...event.data, event_name: name } } }
}
