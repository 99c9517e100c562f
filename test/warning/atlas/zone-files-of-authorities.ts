import { shapefile, zip } from './shapefile.ts'

/** Far from the United States: a code that is read as one of theirs is found out. */
export const BOX: [number, number][] = [
  [10, 47],
  [10, 48],
  [11, 48],
  [11, 47],
  [10, 47]
]
const geometry = { type: 'Polygon' as const, coordinates: [BOX] }

const features = (...rows: Record<string, unknown>[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: rows.map((properties) => ({ type: 'Feature', properties, geometry }))
  })

function zipped(base: string, ...rows: Record<string, string>[]): Buffer {
  const { shp, dbf } = shapefile(rows.map((fields) => ({ ring: BOX, fields })))
  return zip({ [`${base}.shp`]: shp, [`${base}.dbf`]: dbf })
}

/** A package of Environment Canada holds a dozen shapefiles, here two. */
export function packageOf(...rows: Record<string, string>[]): Buffer {
  const { shp, dbf } = shapefile(rows.map((fields) => ({ ring: BOX, fields })))
  const other = shapefile([{ ring: BOX, fields: { CLC: '999999' } }])
  return zip({
    'Pkg/land_CLCBaseZone_coarse_unproj.shp': other.shp,
    'Pkg/land_CLCBaseZone_coarse_unproj.dbf': other.dbf,
    'Pkg/land_CLCBaseZone_detail_unproj.shp': shp,
    'Pkg/land_CLCBaseZone_detail_unproj.dbf': dbf
  })
}

/** Of each source a small file in the layout of its authority, and the codes as alerts of that country name them. */
export const ZONE_FILES: Record<string, [content: string | Buffer, codes: string[]]> = {
  'us-zones': [zipped('z_18mr25', { STATE: 'ID', ZONE: '014', STATE_ZONE: 'ID014', NAME: 'Sawtooth' }), ['IDZ014']],
  'us-fire': [zipped('fz18mr25', { STATE_ZONE: 'ID425', NAME: 'Sawtooth NF' }), ['IDZ425']],
  'us-marine': [zipped('mz18mr25', { ID: 'AMZ350', WFO: 'CHS', NAME: 'Edisto Beach' }), ['AMZ350']],
  meteoalarm: [
    features(
      { code: 'DE356', name: 'Kreis Lindau', country: 'DE', type: 'EMMA_ID' },
      { code: 'AT004', name: 'Wien', country: 'AT', type: 'EMMA_ID' },
      { code: 'UK005', name: 'Wales', country: 'UK', type: 'EMMA_ID' }
    ),
    ['EMMA_ID:DE356', 'EMMA_ID:AT004', 'EMMA_ID:UK005']
  ],
  'nuts3-2013': [
    features({ id: 'FR712', NUTS_ID: 'FR712', LEVL_CODE: 3, CNTR_CODE: 'FR', NUTS_NAME: 'Ain' }),
    ['NUTS3:FR712']
  ],
  'nuts2-2013': [
    features({ id: 'BE21', NUTS_ID: 'BE21', LEVL_CODE: 2, CNTR_CODE: 'BE', NUTS_NAME: 'Prov. Antwerpen' }),
    ['NUTS2:BE21']
  ],
  'de-districts': [
    features({ WARNCELLID: '109176000', NAME: 'Landkreis Eichstätt', SHORTNAME: 'EI' }),
    ['WARNCELLID:109176000']
  ],
  'de-communes': [features({ WARNCELLID: 809175111, NAME: 'Anzing', SHORTNAME: 'Anzing' }), ['WARNCELLID:809175111']],
  'ca-forecast': [
    packageOf({ FEATURE_ID: 'ON-1', CLC: '41410', NAME: 'Niagara Falls', NOM: 'Niagara Falls' }),
    ['layer:EC-MSC-SMC:1.0:CLC:041410']
  ],
  'ca-places': [
    features({ CSDUID: '3537048', CSDNAME: 'Hamilton', PRUID: '35' }),
    ['profile:CAP-CP:Location:0.3:3537048']
  ],
  'jp-municipalities': [
    zipped(
      'AreaInformationCity_weather',
      { regioncode: '0110000', regionname: 'Sapporo' },
      { regioncode: '1310100', regionname: 'Chiyoda' }
    ),
    ['JMA:0110000', 'JMA:1310100']
  ],
  'jp-prefectures': [
    zipped('AreaForecastLocalM_prefecture', { code: '011000', name: 'Soya' }, { code: '130000', name: 'Tokyo' }),
    ['JMA_PREF:01', 'JMA_PREF:13']
  ],
  'au-districts': [
    zipped('IDM00001', { AAC: 'NSW_PW005', DIST_NAME: 'Metropolitan', STATE_CODE: 'NSW' }),
    ['AAC:NSW_PW005']
  ],
  'br-municipalities': [features({ codarea: '4314407' }), ['IBGE:4314407']],
  'world-countries': [
    features(
      { NAME: 'France', ISO_A3: '-99', ISO_A3_EH: 'FRA' },
      { NAME: 'Philippines', ISO_A3: 'PHL', ISO_A3_EH: 'PHL' }
    ),
    ['ISO3:FRA', 'ISO3:PHL']
  ]
}
