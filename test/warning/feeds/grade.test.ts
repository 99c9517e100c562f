import t from 'tap'
import { gradeOf } from '../../../src/model/impact.ts'
import { parseCap } from '../../../src/warning/feeds/cap/parse.ts'
import { parseNwsAlerts } from '../../../src/warning/feeds/nws/parse.ts'
import { gradedDetail } from '../../../src/warning/feeds/reading/grade.ts'
import { capDocument, capInfo, nwsFeature, nwsListing } from './samples.ts'

const RECEIVED = { receivedAt: Date.parse('2026-01-15T18:00:00Z') }

t.test('the grade of a warning is read from its words', async (t) => {
  t.equal(gradeOf('…TORNADO EMERGENCY for Glendive…'), 'Tornado emergency')
  t.equal(gradeOf('This is a PARTICULARLY DANGEROUS SITUATION. TAKE COVER NOW!'), 'Particularly dangerous situation')
  t.equal(gradeOf('A tornado warning is in effect.'), '')
  t.equal(gradeOf('Moderate flooding is occurring and major flooding is\nforecast.'), 'Major flooding')
  t.equal(gradeOf('At 22 feet major flooding begins. Minor flooding is occurring.'), '')
  t.equal(gradeOf('THE FLASH FLOOD EMERGENCY HAS BEEN CANCELLED.'), '')
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

t.test('a flood that rises a stage is news although its warning goes on unchanged', async (t) => {
  const materialOf = (description: string) =>
    parseNwsAlerts(nwsListing(nwsFeature({ event: 'Flood Warning', description })), RECEIVED).events[0]?.data.material
  const minor = materialOf('* WHAT...Minor flooding is occurring.')
  t.not(materialOf('* WHAT...Minor flooding is occurring and major flooding is forecast.'), minor)
  t.equal(materialOf('* WHAT...Minor flooding is occurring.\n\nAt 5 PM the stage was 13.6 feet.'), minor)
})
