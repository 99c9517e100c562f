/** Hand-made payloads in the shapes of the feeds. */

interface AlertSample {
  id?: string
  vtec?: string[]
  references?: { identifier: string; sent: string }[]
  parameters?: Record<string, string[]>
  geometry?: unknown
  [key: string]: unknown
}

export const NWS_SENDER = 'w-nws.webmaster@noaa.gov'

/** One Feature of an NWS listing; what is not given is a plain priority winter storm warning. */
export function nwsFeature({
  id = 'urn:oid:1',
  vtec,
  references = [],
  parameters = {},
  geometry = null,
  ...rest
}: AlertSample = {}): object {
  return {
    id: `https://api.weather.gov/alerts/${id}`,
    type: 'Feature',
    geometry,
    properties: {
      '@type': 'wx:Alert',
      id,
      areaDesc: 'Blaine, ID; Camas, ID; Blaine, ID',
      geocode: { SAME: ['016013', '016025'], UGC: ['IDC013', 'IDC025'] },
      references: references.map((entry) => ({ sender: NWS_SENDER, ...entry })),
      sent: '2026-01-15T11:00:00-07:00',
      onset: '2026-01-15T18:00:00-07:00',
      expires: '2026-01-15T20:00:00-07:00',
      ends: '2026-01-16T18:00:00-07:00',
      status: 'Actual',
      messageType: 'Alert',
      severity: 'Severe',
      urgency: 'Expected',
      certainty: 'Likely',
      event: 'Winter Storm Warning',
      sender: NWS_SENDER,
      senderName: 'NWS Pocatello ID',
      headline: 'Winter Storm Warning issued by NWS Pocatello ID',
      description: '* WHAT...Heavy snow. Ten inches\nexpected.\n\n* WHERE...Hills.',
      instruction: 'A warning means snow. Stay home if you can.',
      parameters: { ...(vtec === undefined ? {} : { VTEC: vtec }), ...parameters },
      ...rest
    }
  }
}

export function nwsListing(...features: unknown[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features, updated: '2026-01-15T18:00:00+00:00' })
}

export function quakeFeature(
  id: string,
  properties: Record<string, unknown> = {},
  coordinates: unknown[] = [-114.8, 43.4, 8.1]
): object {
  return {
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates },
    properties: {
      mag: 4.6,
      place: '9 km N of Fairfield, Idaho',
      time: 1_760_000_000_000,
      updated: 1_760_000_060_000,
      alert: null,
      status: 'automatic',
      tsunami: 0,
      ids: `,${id},`,
      magType: 'mb',
      type: 'earthquake',
      ...properties
    }
  }
}

export function quakeListing(...features: unknown[]): string {
  const metadata = {
    generated: 1_760_000_100_000,
    url: 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/2.5_day.geojson'
  }
  return JSON.stringify({ type: 'FeatureCollection', metadata, features })
}

interface CapSample {
  id?: string
  sender?: string
  status?: string
  msgType?: string
  scope?: string
  references?: string
  infos?: string[]
}

/** A CAP document; `infos` are the inner texts of its info elements. */
export function capDocument(sample: CapSample = {}): string {
  const {
    id = 'A-1',
    sender = 'civil@example.org',
    status = 'Actual',
    msgType = 'Alert',
    scope = 'Public',
    references = '',
    infos = [capInfo()]
  } = sample
  return `<?xml version="1.0" encoding="UTF-8"?>
<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>${id}</identifier><sender>${sender}</sender>
<sent>2026-01-15T11:00:00-07:00</sent><status>${status}</status><msgType>${msgType}</msgType><scope>${scope}</scope>
<references>${references}</references>${infos.map((info) => `<info>${info}</info>`).join('')}</alert>`
}

export function capInfo({
  language = 'en-US',
  event = 'Flood',
  more = '',
  area = '<areaDesc>Town</areaDesc>'
} = {}): string {
  return `<language>${language}</language><category>Safety</category><event>${event}</event><urgency>Expected</urgency>
<severity>Severe</severity><certainty>Likely</certainty>${more}<area>${area}</area>`
}
