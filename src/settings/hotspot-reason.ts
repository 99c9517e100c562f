import { because, type Reason } from '../model/reason.ts'

/** The reason of a failure from the word of lookout-hotspot. One that a newer one says is told as it is. */
export function hotspotReason(word: string): Reason {
  switch (word) {
    case 'no_wifi':
      return because('hotspot_no_wifi')
    case 'no_networkmanager':
      return because('hotspot_no_networkmanager')
    case 'no_dnsmasq':
      return because('hotspot_no_dnsmasq')
    case 'wish_incomplete':
      return because('hotspot_wish_incomplete')
    case 'wish_not_understood':
      return because('hotspot_wish_not_understood')
    case 'firewall_refused':
      return because('hotspot_firewall_refused')
    case 'profile_not_written':
      return because('hotspot_profile_not_written')
    case 'access_point_refused':
      return because('hotspot_access_point_refused')
    case 'names_refused':
      return because('hotspot_names_refused')
    default:
      return because('hotspot_failed', { word })
  }
}
