import type { Codes } from './kinds.ts'

/** The Wi-Fi of the station: the words of deploy/hotspot/lookout-hotspot, and what a wish must be. */
export const HOTSPOT_CODES = {
  hotspot_no_wifi: {},
  hotspot_no_networkmanager: {},
  hotspot_no_dnsmasq: {},
  hotspot_wish_incomplete: {},
  hotspot_wish_not_understood: {},
  hotspot_firewall_refused: {},
  hotspot_profile_not_written: {},
  hotspot_access_point_refused: {},
  hotspot_names_refused: {},
  hotspot_failed: { word: 'text' },
  hotspot_not_here: {},
  hotspot_name_form: {},
  hotspot_passphrase_form: {},
  hotspot_country_form: {}
} as const satisfies Codes
