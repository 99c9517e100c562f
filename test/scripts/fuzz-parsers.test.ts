import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { filesOf } from '../../scripts/house.ts'
import { everyParser } from '../faults/fuzz-parsers.ts'

const SRC = join(import.meta.dirname, '../../src')
/** Functions that take a text, bytes or a value of a stranger apart, by their names. */
const PARSER =
  /^export (?:async )?function\*? ((?:parse|decode|sniff|repair|unpack)[A-Z]?\w*)\((?:\{|text|body|bytes|input|payload|frame|raw|value|content|name|url|file|output|html)/gm

/** A part of a parser that the fuzzer holds: the name of that one. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'warning/feeds/cap/parse.ts parseCap': 'feed-file',
  'warning/feeds/nws-text/parse.ts parseNwsText': 'feed-nws_text',
  'warning/feeds/nws/parse.ts parseNwsAlerts': 'feed-file',
  'warning/feeds/reading/bulletin.ts parseReferences': 'feed-cap',
  'warning/feeds/reading/vtec.ts parseVtec': 'feed-nws_text',
  'warning/feeds/reading/xml.ts decodeSteps': 'feed-cap',
  'warning/feeds/reading/xml.ts decodeText': 'feed-file',
  'warning/feeds/reading/xml.ts parseXml': 'feed-cap',
  'warning/feeds/satpass/elements.ts parseElements': 'feed-satpass',
  'warning/feeds/satpass/omm.ts parseOmmCsv': 'feed-satpass',
  'warning/feeds/satpass/omm.ts parseOmmJson': 'feed-satpass',
  'warning/feeds/satpass/tle.ts parseTle': 'feed-satpass',
  'warning/feeds/usgs/usgs.ts parseUsgsQuakes': 'feed-usgs',
  'warning/messages/times.ts parseInstant': 'feed-nws',
  'warning/messages/times.ts parseMoment': 'feed-nws'
}

t.test(
  'every function that is named as a parser stands in the table of the fuzzer, or is named with the one that reads it',
  async (t) => {
    const parsers = await everyParser()
    t.equal(new Set(parsers.map(({ name }) => name)).size, parsers.length, 'no name stands twice')
    const covered = new Set(parsers.flatMap(({ covers }) => covers))
    const found = filesOf(SRC).flatMap((file) =>
      [...readFileSync(join(SRC, file), 'utf8').matchAll(PARSER)].map(([, name]) => `${file} ${name}`)
    )
    t.same(
      found.filter((one) => !covered.has(one) && !Object.hasOwn(ELSEWHERE, one)),
      []
    )
    const names = new Set(parsers.map(({ name }) => name))
    t.same(
      Object.values(ELSEWHERE).filter((one) => !names.has(one)),
      []
    )
    t.same(
      Object.keys(ELSEWHERE).filter((one) => !found.includes(one)),
      [],
      'and nothing is named that is gone'
    )
  }
)
