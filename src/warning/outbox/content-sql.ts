import {
  CONTENT_KINDS,
  CONTENT_TRAITS,
  type ContentKind,
  KIND_OF_PATH,
  MESSAGE_PATHS,
  type MessageKind,
  type MessagePath
} from '../../model/content.ts'
import { DRILL_CATEGORY } from '../../model/event.ts'

/** The table of kinds as SQL. The name of a table ends in a dot. */
type Table = '' | `${'c' | 'd' | 'm' | 'n'}.`

const REPLY = 'reply' satisfies ContentKind & MessagePath
const END = 'cancel' satisfies MessageKind & MessagePath

export const isEnd = (table: Table = ''): string => `${table}kind = '${END}'`
/** In the words of the index `deliveries_in_force`, which no others use. */
export const isNoEnd = (table: Table = ''): string => `${table}kind <> '${END}'`

export const isDigest = (table: Table = ''): string => `${table}path IN (${pathsOf(['digest'])})`
export const isNoDigest = (table: Table = ''): string => `${table}path NOT IN (${pathsOf(['digest'])})`

export const IS_REPLY = `path = '${REPLY}'`
export const IS_NO_REPLY = `path <> '${REPLY}'`

/** It speaks of a drill that the station made. */
export const IS_DRILL = `category = '${DRILL_CATEGORY}'`
export const IS_NO_DRILL = `category <> '${DRILL_CATEGORY}'`

/** It is held while notifications are off, and its failure is one of the station. */
export const IS_NOTIFICATION = `path NOT IN (${pathsOf(CONTENT_KINDS.filter((kind) => !CONTENT_TRAITS[kind].notifies))})`

/** It speaks of one event. */
export const IS_EVENTS = `path IN (${pathsOf(CONTENT_KINDS.filter((kind) => CONTENT_TRAITS[kind].words === 'event'))})`

function pathsOf(kinds: readonly ContentKind[]): string {
  const paths = MESSAGE_PATHS.filter((path) => kinds.includes(KIND_OF_PATH[path]))
  return paths.map((path) => `'${path}'`).join(', ')
}
