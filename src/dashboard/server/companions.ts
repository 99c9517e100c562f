import type { ServiceName, ServicesConfig } from '../../knowledge/library/settings.ts'
import type { Profile } from '../../settings/profile.ts'

export type Feature = keyof Profile['features']

/** The meaning of each flag of the profile (contract §10), in English: pages translate. */
export const FEATURES: readonly { flag: Feature; service: ServiceName; name: string; meaning: string }[] = [
  {
    flag: 'has_contacts',
    service: 'contacts_url',
    name: 'Contacts',
    meaning: 'A contacts service stands beside this station: the menu links to it.'
  },
  {
    flag: 'has_landclass',
    service: 'landclass_url',
    name: 'Land classes',
    meaning: 'A service that tells public from private land stands beside this station: the menu links to it.'
  },
  {
    flag: 'has_hillshade',
    service: 'hillshade_url',
    name: 'Hillshade',
    meaning: 'A map with relief stands beside this station: the menu links to it.'
  },
  {
    flag: 'has_traffic_overlay',
    service: 'traffic_overlay_url',
    name: 'Traffic',
    meaning: 'A map of traffic stands beside this station: the menu links to it.'
  },
  {
    flag: 'has_nominatim_details',
    service: 'nominatim_details_url',
    name: 'Place details',
    meaning: 'A service with details of places stands beside this station: the menu links to it.'
  }
]

/**
 * The companion services the dashboard offers: those the profile expects and whose address is configured. They are linked
 * to and never called (contract §10).
 */
export function companions(features: Profile['features'], services: ServicesConfig): { name: string; url: string }[] {
  return FEATURES.flatMap(({ flag, service, name }) => {
    const url = services[service]
    return features[flag] && url !== '' ? [{ name, url }] : []
  })
}
