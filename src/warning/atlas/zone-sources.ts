/**
 * Where the outlines of the areas of other countries come from: which authority publishes them in which file, which of its properties is
 * the code, and by which name of a system alerts write that code. `lookout zones sources` prints it, docs/zone-packs.md is made of it.
 * The layouts are those that people who read these files in public describe; dated names (`20260226_…`) change with each edition.
 */
export interface ZoneSource {
  /** For `lookout zones import FILE --source NAME`, and the name of the pack. */
  name: string
  /** Two letters (ISO 3166); none where it is the whole world. */
  countries: readonly string[]
  authority: string
  /** How the file is called when it is downloaded. */
  file: string
  /** The file itself where it is `direct`, else the page or folder it is downloaded from. */
  address: string
  direct: boolean
  /** The system of its codes as alerts name it; null for those of the United States, which need none. */
  system: string | null
  /** The property that holds the code. */
  code: string
  /** The property that holds the name, for who looks into the file; a pack holds no names. */
  title: string
  /** Codes are written with so many digits: a number in a table has lost its zeros. */
  digits?: number
  /** Alerts name only so many of the first digits. */
  first?: number
  /** The shapefile among several in one ZIP. */
  member?: string
  licence: string
  /** The step that is needed first, or a trap. */
  note?: string
}

const GISCO = 'https://gisco-services.ec.europa.eu/distribution/v2/nuts/geojson'
const EUROSTAT = {
  authority: 'Eurostat (GISCO)',
  direct: true,
  code: 'NUTS_ID',
  title: 'NUTS_NAME',
  licence: '© EuroGeographics for the administrative boundaries; not for commercial use'
}
const WFS =
  'https://maps.dwd.de/geoserver/dwd/ows?service=WFS&version=1.0.0&request=GetFeature&srsName=EPSG:4326&outputFormat=application/json&typeName=dwd:'
const DWD = {
  countries: ['DE'],
  authority: 'Deutscher Wetterdienst',
  direct: true,
  system: 'WARNCELLID',
  code: 'WARNCELLID',
  title: 'NAME',
  licence: 'CC BY 4.0'
}
const JMA = {
  countries: ['JP'],
  authority: 'Japan Meteorological Agency',
  direct: true,
  licence: 'Public Data License 1.0 of Japan'
}
const NWS = {
  countries: ['US'],
  authority: 'National Weather Service',
  direct: false,
  system: null,
  title: 'NAME',
  licence: 'public domain'
}

export const ZONE_SOURCES: readonly ZoneSource[] = [
  {
    ...NWS,
    name: 'us-zones',
    file: 'z_18mr25.zip',
    address: 'https://www.weather.gov/gis/PublicZones',
    code: 'STATE_ZONE'
  },
  {
    ...NWS,
    name: 'us-fire',
    file: 'fz18mr25.zip',
    address: 'https://www.weather.gov/gis/FireZones',
    code: 'STATE_ZONE'
  },
  { ...NWS, name: 'us-marine', file: 'mz18mr25.zip', address: 'https://www.weather.gov/gis/MarineZones', code: 'ID' },
  {
    name: 'meteoalarm',
    countries: ['AT', 'CH', 'CZ', 'DE', 'ES', 'FI', 'GB', 'IT', 'NL', 'NO', 'PL', 'PT', 'SE'],
    authority: 'MeteoAlarm (EUMETNET)',
    file: 'MeteoAlarm_Geocodes_2026_07_31.json',
    address: 'https://gitlab.com/meteoalarm-pm-group/documents/-/raw/master/MeteoAlarm_Geocodes_2026_07_31.json',
    direct: true,
    system: 'EMMA_ID',
    code: 'code',
    title: 'name',
    licence: 'terms of MeteoAlarm: its source named'
  },
  {
    ...EUROSTAT,
    name: 'nuts3-2013',
    countries: ['FR'],
    file: 'NUTS_RG_03M_2013_4326_LEVL_3.geojson',
    address: `${GISCO}/NUTS_RG_03M_2013_4326_LEVL_3.geojson`,
    system: 'NUTS3',
    note: 'the edition of 2013, whose codes the warnings of France name; others counted in October 2026 that it has 82 of their 82, and the edition of 2024 has 8'
  },
  {
    ...EUROSTAT,
    name: 'nuts2-2013',
    countries: ['BE'],
    file: 'NUTS_RG_03M_2013_4326_LEVL_2.geojson',
    address: `${GISCO}/NUTS_RG_03M_2013_4326_LEVL_2.geojson`,
    system: 'NUTS2'
  },
  {
    ...DWD,
    name: 'de-districts',
    file: 'warncells-districts.json',
    address: `${WFS}Warngebiete_Kreise`,
    note: 'districts; MeteoAlarm names an EMMA_ID beside each'
  },
  {
    ...DWD,
    name: 'de-communes',
    file: 'warncells-communes.json',
    address: `${WFS}Warngebiete_Gemeinden`,
    note: 'communes, for CAP of the service itself'
  },
  {
    name: 'ca-forecast',
    countries: ['CA'],
    authority: 'Environment and Climate Change Canada',
    file: 'MSC_Geography_Pkg_V6_15_0_Land_Unproj.zip',
    address:
      'https://dd.weather.gc.ca/today/meteocode/geodata/version_6.15.0/MSC_Geography_Pkg_V6_15_0_Land_Unproj.zip',
    direct: true,
    system: 'layer:EC-MSC-SMC:1.0:CLC',
    code: 'CLC',
    title: 'NAME',
    digits: 6,
    member: 'land_CLCBaseZone_detail_unproj',
    licence: 'Environment and Climate Change Canada Data Servers End-use Licence',
    note: 'the package for the sea (Water_Unproj) has its own: --member water_MarStdZone_detail_unproj'
  },
  {
    name: 'ca-places',
    countries: ['CA'],
    authority: 'Statistics Canada',
    file: 'csd.geojson',
    address:
      'https://www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/index2021-eng.cfm?year=21',
    direct: false,
    system: 'profile:CAP-CP:Location:0.3',
    code: 'CSDUID',
    title: 'CSDNAME',
    licence: 'Statistics Canada Open Licence',
    note: 'census subdivisions, cartographic (lcsd000b21a_e.zip); projected: ogr2ogr -t_srs EPSG:4326 csd.geojson lcsd000b21a_e.shp'
  },
  {
    ...JMA,
    name: 'jp-municipalities',
    file: '20260226_AreaInformationCity_weather_GIS.zip',
    address: 'https://www.data.jma.go.jp/developer/gis/20260226_AreaInformationCity_weather_GIS.zip',
    system: 'JMA',
    code: 'regioncode',
    title: 'regionname',
    digits: 7
  },
  {
    ...JMA,
    name: 'jp-prefectures',
    file: '20190125_AreaForecastLocalM_prefecture_GIS.zip',
    address: 'https://www.data.jma.go.jp/developer/gis/20190125_AreaForecastLocalM_prefecture_GIS.zip',
    system: 'JMA_PREF',
    code: 'code',
    title: 'name',
    digits: 6,
    first: 2,
    note: 'earthquakes whose place is not told name prefectures'
  },
  {
    name: 'au-districts',
    countries: ['AU'],
    authority: 'Bureau of Meteorology',
    file: 'IDM00001.zip',
    address: 'ftp://ftp.bom.gov.au/anon/home/adfd/spatial/IDM00001.zip',
    direct: false,
    system: 'AAC',
    code: 'AAC',
    title: 'DIST_NAME',
    licence: 'terms of the Bureau: its source named',
    note: 'forecast districts; IDM00003 the coastal waters, IDM00007 fire weather. No recorded alert names them: give the name that yours does with --system'
  },
  {
    name: 'br-municipalities',
    countries: ['BR'],
    authority: 'Instituto Brasileiro de Geografia e Estatística',
    file: 'municipios.geojson',
    address:
      'https://servicodados.ibge.gov.br/api/v3/malhas/paises/BR?formato=application/vnd.geo%2Bjson&qualidade=minima&intrarregiao=municipio',
    direct: true,
    system: 'IBGE',
    code: 'codarea',
    title: 'none in the file',
    digits: 7,
    licence: 'free with the source named',
    note: 'No recorded alert names them: give the name that yours does with --system'
  },
  {
    name: 'world-countries',
    countries: [],
    authority: 'Natural Earth',
    file: 'ne_50m_admin_0_countries.geojson',
    address:
      'https://raw.githubusercontent.com/nvkelso/natural-earth-vector/master/geojson/ne_50m_admin_0_countries.geojson',
    direct: true,
    system: 'ISO3',
    code: 'ISO_A3_EH',
    title: 'NAME',
    licence: 'public domain',
    note: 'GDACS names whole countries'
  }
]

export function zoneSource(name: string): ZoneSource | null {
  return ZONE_SOURCES.find((source) => source.name === name) ?? null
}

/** The command that makes the pack of a file that is here already. */
export const importCommand = ({ name, file }: ZoneSource): string => `lookout zones import ${file} --source ${name}`
