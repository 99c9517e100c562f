/** The tables of docs/zone-packs.md. */
import { importCommand, ZONE_SOURCES, type ZoneSource } from '../src/warning/atlas/zone-sources.ts'
import { table } from './docs-table.ts'

const HEAD = `<!-- Made by \`npm run docs\` from src/warning/atlas/zone-sources.ts. -->
# Zone packs of other countries

Most alerts draw their area, and need nothing. Those that only name codes of areas (\`EMMA_ID:DE356\`) meet an area of yours that lists the same codes; for an area you drew, the station wants
the outlines of these codes. They are not part of the program: they are large, they change every year, and not each may be passed on. One command makes a pack of the file that
the authority publishes; the station then finds every code without a network ([outlines of zones](sources.md#outlines-of-zones)).

\`\`\`sh
lookout zones sources JP                                  # which files, and the command for each
lookout zones fetch jp-municipalities                     # downloads, prints the SHA-256, imports
lookout zones import FILE --source jp-municipalities      # a file that was brought on a stick
lookout zones find JMA:1310100                            # is a code known here?
\`\`\`

Which codes your alerts name stands on the page of an alert under *Codes*, and in \`lookout explain\`: there a code of which nothing is known has \`unknown_codes\`.

**How far this is proven.** Each layout below is imported by a test from a small file that has the properties of the authority's file. The files themselves, their addresses and their sizes were not tried from here: names with
a date in them change with each edition (\`--from ADDRESS\` takes another), and where a file has another layout than its row says, the import says that no feature has a code, and
\`--code PROPERTY\`, \`--system NAME\` and \`--member NAME\` say what it has. Licences are as far as they are known here; what the page of the authority says counts. A download is held in memory before it is
read, and JSON is read as a whole: on a board of 512 MB make the pack on another computer with \`--data DIR\`, and copy \`DIR/zones/NAME.zones.ndjson.gz\` into \`zones/\` of the station.

## Files

`

const TAIL = `
## Without a pack

| Country | Why none is needed, or none is known |
| --- | --- |
| AU (states), BR, MX, NZ, NO (MET Norway), CH (Alertswiss), US (\`wfigs\`, \`nhc\`) | alerts draw their areas; codes beside them decide nothing |
| DE (\`nina\`) | draws its areas. No alert known here names an AGS or ARS |
| CH (MeteoSwiss) | by MeteoAlarm, with its EMMA_ID codes: \`meteoalarm\` |
| IE | names \`FIPS:EI06\`, of which no file with one outline a code is known here: list the codes in your area (\`"codes": ["FIPS:EI06"]\`) |
| JP (tsunamis, volcanoes) | the coasts are built in; a volcano is a place |
| US (counties) | built in |

Anything else that has a code for each feature, in degrees (EPSG:4326), becomes a pack too: \`lookout zones import FILE --system NAME --code PROPERTY\`. What is projected is refused; \`ogr2ogr -t_srs EPSG:4326 out.geojson FILE\` (GDAL)
turns it, and reads KML, GeoPackage and a shapefile that is not zipped as well.
`

/** docs/zone-packs.md. */
export function zonePacksPage(): string {
  const rows = ZONE_SOURCES.map((source) => [
    source.countries.join(' ') || 'all',
    `\`${source.name}\``,
    `${source.authority}: \`${source.file}\``,
    codesOf(source),
    source.title.includes(' ') ? source.title : `\`${source.title}\``,
    source.licence,
    `\`${source.direct ? `lookout zones fetch ${source.name}` : importCommand(source)}\``
  ])
  const notes = ZONE_SOURCES.map(
    ({ name, address, note }) => `- \`${name}\`: ${linked(address)}${note === undefined ? '' : `. ${note}`}\n`
  )
  return `${HEAD}${table(['Country', 'Source', 'Authority and file', 'Codes, and the property that holds them', 'Name', 'Licence', 'Command'], rows)}\n${notes.join('')}${TAIL}`
}

const linked = (address: string): string => (address.startsWith('https:') ? `<${address}>` : `\`${address}\``)

function codesOf({ system, code, digits, first, member }: ZoneSource): string {
  const said = [
    `\`${system === null ? 'IDZ014' : `${system}:…`}\` in \`${code}\``,
    digits === undefined ? '' : `${digits} digits`,
    first === undefined ? '' : `of them the first ${first}`,
    member === undefined ? '' : `of the shapefile \`${member}\``
  ]
  return said.filter((part) => part !== '').join(', ')
}
