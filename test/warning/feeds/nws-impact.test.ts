import t from 'tap'
import { parseCap } from '../../../src/warning/feeds/cap/parse.ts'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { parseNwsText } from '../../../src/warning/feeds/nws-text/parse.ts'
import { capDocument, capInfo, NWS_SENDER, nwsFeature, nwsListing } from './samples.ts'

const receivedAt = Date.parse('2026-07-15T19:55:00Z')

/** One warning by three ways: what follows `* WHAT...` and the tags. */
interface Said {
  words: string
  tags: [name: string, line: string, value: string][]
}

function levels({ words, tags }: Said): (string | undefined)[] {
  const vtec = '/O.CON.KEWX.FF.W.0031.000000T0000Z-260716T0115Z/'
  const json = nwsFeature({
    event: 'Flash Flood Warning',
    urgency: 'Immediate',
    messageType: 'Update',
    description: words,
    vtec: [vtec],
    parameters: Object.fromEntries(tags.map(([name, , value]) => [name, [value]]))
  })
  const parameter = (name: string, value: string) =>
    `<parameter><valueName>${name}</valueName><value>${value}</value></parameter>`
  const more = [
    `<description>${words}</description>`,
    parameter('VTEC', vtec),
    ...tags.map(([name, , value]) => parameter(name, value))
  ].join('')
  const info = capInfo({ event: 'Flash Flood Warning', more }).replace('Expected', 'Immediate')
  const text = [
    'WGUS74 KEWX 151954',
    'FFSEWX',
    '',
    'TXC259-160115-',
    vtec,
    '/00000.0.ER.000000T0000Z.000000T0000Z.000000T0000Z.OO/',
    'Kendall TX-',
    '254 PM CDT Wed Jul 15 2026',
    '',
    words,
    '',
    '&&',
    '',
    'LAT...LON 2980 9870 2980 9880 2970 9880 2970 9870',
    '',
    ...tags.map(([, line, value]) => `${line}...${value}`),
    '',
    '$$'
  ].join('\n')
  return [
    parseNwsAlerts(nwsListing(json), { receivedAt }),
    parseCap(capDocument({ sender: NWS_SENDER, infos: [info] }), { receivedAt }),
    parseNwsText(text, { receivedAt })
  ].map(({ events: [event] }) => event?.severity)
}

t.test('one warning has one level, whether it comes as JSON, as CAP or as text', async (t) => {
  const table: [Said, string][] = [
    [{ words: 'Flash flooding is expected.', tags: [] }, 'critical'],
    [
      {
        words: 'Flash flooding is occurring.',
        tags: [['flashFloodDamageThreat', 'FLASH FLOOD DAMAGE THREAT', 'CONSIDERABLE']]
      },
      'immediate'
    ],
    [
      {
        words: 'This is a FLASH FLOOD EMERGENCY FOR BOERNE. SEEK HIGHER GROUND NOW!',
        tags: [['flashFloodDamageThreat', 'FLASH FLOOD DAMAGE THREAT', 'CATASTROPHIC']]
      },
      'immediate'
    ],
    [{ words: 'This is a FLASH FLOOD EMERGENCY FOR BOERNE.', tags: [] }, 'immediate']
  ]
  for (const [said, level] of table) t.same(levels(said), [level, level, level], JSON.stringify(said))
})

t.test('a sender of CAP who woke the phones is heard at once, whoever it is', async (t) => {
  const more = '<parameter><valueName>WEAHandling</valueName><value>Public Safety</value></parameter>'
  const info = capInfo({ event: 'Local Area Emergency', more })
  t.equal(parseCap(capDocument({ infos: [info] }), { receivedAt }).events[0]?.severity, 'immediate')
})
