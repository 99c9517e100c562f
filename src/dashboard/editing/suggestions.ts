import { listFamilies } from '../../model/families.ts'
import { namedChannels } from '../../warning/routing/named-channels.ts'
import type { HttpContext } from '../server/context.ts'
import { regionNames } from './matrix-document.ts'

/** Proposals for form fields, by what they ask for. */
export interface Suggestions {
  family: string[]
  category: string[]
  region: string[]
  destination: string[]
  source: string[]
  mc: string[]
}

/** Names that are in use: of the configuration, the radios and the sources. */
export function suggestionsOf({
  config,
  radios,
  sources
}: Pick<HttpContext, 'config' | 'radios' | 'sources'>): Suggestions {
  const current = config.current()
  const families = listFamilies(current.families)
  const onRadio = radios().flatMap(({ network, channels }) =>
    network === 'mc' ? channels.map(({ name }) => name) : []
  )
  return {
    family: families.map(({ key }) => key),
    category: families.flatMap(({ categories }) => categories.map(({ id }) => id)),
    region: regionNames(current),
    destination: Object.keys(current.notifications.destinations),
    source: sources.list().map(({ name }) => name),
    mc: [...new Set([...onRadio, ...namedChannels(current.notifications).mc])]
  }
}
