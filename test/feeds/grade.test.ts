import t from 'tap'
import { parseCap } from '../../src/feeds/cap/parse.ts'
import { gradedDetail, gradeOf } from '../../src/feeds/grade.ts'
import { parseNwsAlerts } from '../../src/feeds/nws/parse.ts'
import { capDocument, capInfo, nwsFeature, nwsListing } from './samples.ts'

const RECEIVED = { receivedAt: Date.parse('2026-01-15T18:00:00Z') }

t.test('the grade of a warning is read from its words', async (t) => {
  t.equal(gradeOf('…TORNADO EMERGENCY for Glendive…'), 'Tornado emergency')
  t.equal(gradeOf('This is a PARTICULARLY DANGEROUS SITUATION. TAKE COVER NOW!'), 'Particularly dangerous situation')
  t.equal(gradeOf('A tornado warning is in effect.'), '')
  t.equal(gradedDetail('Tornado emergency', 'Radar: tornado 5 mi SW'), 'Tornado emergency. Radar: tornado 5 mi SW')
  t.equal(gradedDetail('Tornado emergency', 'A tornado emergency for Glendive'), 'A tornado emergency for Glendive')
})

t.test('a warning raised to an emergency is news although level and end stay: in JSON and in CAP', async (t) => {
  const usual = 'At 6 PM a tornado was located near Glendive.'
  const raised = `TORNADO EMERGENCY for Glendive. ${usual}`
  const [before, after] = [usual, raised].map(
    (description) =>
      parseNwsAlerts(nwsListing(nwsFeature({ event: 'Tornado Warning', description })), RECEIVED).events[0]
  )
  t.not(before?.data.material, after?.data.material)
  t.match(after?.data.detail, /^Tornado emergency/i)
  t.notMatch(before?.data.detail, /emergency/i)
  const [cap] = parseCap(
    capDocument({ infos: [capInfo({ event: 'Tornado Warning', more: `<description>${raised}</description>` })] }),
    RECEIVED
  ).events
  t.match(cap?.data.material, /\|Tornado emergency$/)
})
