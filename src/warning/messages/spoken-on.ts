import { ENGLISH, type Spoken } from '../../model/air-languages.ts'
import type { StationConfig } from '../station-settings.ts'
import type { MessagesConfig } from './settings.ts'

/** A channel of a radio, as deliveries name it. */
export interface Place {
  transport: string
  channel: number | string
  /** To one person: nobody knows what they speak but that they are here. */
  direct: boolean
}

/** The language of a channel: its own, else the station's. Only mesh texts are composed in it. */
export function spokenOn(
  { station, messages }: { station: StationConfig; messages: MessagesConfig },
  { transport, channel, direct }: Place
): Spoken {
  if (transport !== 'mt' && transport !== 'mc') return ENGLISH
  const usual: Spoken = { language: station.language, ascii: messages.ascii }
  const own = direct ? undefined : messages.channels[`${transport}:${channel}`]
  return own === undefined ? usual : { language: own.language ?? usual.language, ascii: own.ascii ?? usual.ascii }
}
