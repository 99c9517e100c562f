/** One service that publishes CAP. `name` is that of the source made for it. */
export interface CapService {
  name: string
  title: string
  url: string
}

/**
 * Countries outside MeteoAlarm whose services publish CAP without a key, by ISO 3166: addresses of the WMO Register of
 * Alerting Authorities, and of the services themselves where these name another. `docs/sources.md` says which of them
 * have a recording among the tests.
 */
export const CAP_SERVICES: Readonly<Record<string, readonly CapService[]>> = {
  AR: [{ name: 'smn', title: 'SMN', url: 'https://ssl.smn.gob.ar/CAP/AR.php' }],
  AU: [{ name: 'bom', title: 'BoM', url: 'https://severeweather.wmo.int/v2/cap-alerts/au-bom-en/rss.xml' }],
  BR: [{ name: 'inmet', title: 'INMET', url: 'https://apiprevmet3.inmet.gov.br/avisos/rss' }],
  CN: [{ name: 'cma', title: 'CMA', url: 'https://severeweather.wmo.int/v2/cap-alerts/cn-cma-xx/rss.xml' }],
  HK: [{ name: 'hko', title: 'HKO', url: 'https://alerts.weather.gov.hk/V1/cap_atom.xml' }],
  ID: [{ name: 'bmkg', title: 'BMKG', url: 'https://www.bmkg.go.id/alerts/nowcast/en' }],
  IN: [{ name: 'ndma', title: 'NDMA', url: 'https://sachet.ndma.gov.in/cap_public_website/rss/rss_india.xml' }],
  JM: [{ name: 'jms', title: 'MSJ', url: 'https://alert.metservice.gov.jm/capfeed.php' }],
  MO: [{ name: 'smg', title: 'SMG', url: 'https://rss.smg.gov.mo/cap_rss.xml' }],
  MX: [{ name: 'smn-mx', title: 'SMN', url: 'https://smn.conagua.gob.mx/tools/PHP/feedsmn/cap.php' }],
  NZ: [
    { name: 'metservice', title: 'MetService', url: 'https://alerts.metservice.com/cap/rss' },
    { name: 'nema', title: 'NEMA', url: 'https://alerthub.civildefence.govt.nz/atom/pwp' },
    { name: 'geonet', title: 'GeoNet', url: 'https://api.geonet.org.nz/cap/1.2/GPA1.0/feed/atom1.0/quake' }
  ],
  PH: [{ name: 'pagasa', title: 'PAGASA', url: 'https://publicalert.pagasa.dost.gov.ph/feeds/' }],
  TW: [{ name: 'ncdr', title: 'NCDR', url: 'https://alerts.ncdr.nat.gov.tw/RssAtomFeed.ashx' }],
  ZA: [{ name: 'saws', title: 'SAWS', url: 'https://caps.weathersa.co.za/Home/RssFeed' }]
}
