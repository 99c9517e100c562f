import t from 'tap'
import { failingDam, floodLevel, floodOf, gradeOf, NO_IMPACT, tagsIn } from '../../src/model/impact.ts'
import { nwsLevel } from '../../src/model/levels.ts'

const SENT = Date.parse('2026-07-15T19:54:00Z')
const flashFlood = {
  event: 'Flash Flood Warning',
  severity: 'Severe',
  urgency: 'Immediate',
  kind: 'FF.W',
  ended: false
}

t.test('a flash flood emergency is never graded below a considerable one', async (t) => {
  const plain = nwsLevel({ ...NO_IMPACT, ...flashFlood })
  t.equal(plain, 'critical')
  for (const threat of ['CONSIDERABLE', 'CATASTROPHIC', 'Catastrophic'])
    t.equal(nwsLevel({ ...NO_IMPACT, ...flashFlood, tags: { flashFloodDamageThreat: threat } }), 'immediate', threat)
  const grade = gradeOf('...FLASH FLOOD EMERGENCY FOR BOERNE...')
  t.equal(nwsLevel({ ...NO_IMPACT, ...flashFlood, grade }), 'immediate', 'by its words alone')
  t.equal(nwsLevel({ ...NO_IMPACT, ...flashFlood, kind: '', grade }), 'immediate', 'without VTEC too')
  const ended = { ...flashFlood, severity: 'Minor', urgency: 'Past', ended: true }
  t.equal(nwsLevel({ ...NO_IMPACT, ...ended, grade, tags: { flashFloodDamageThreat: 'CATASTROPHIC' } }), 'routine')
})

t.test('every tag raises a warning as its row says', async (t) => {
  const storm = { event: 'Severe Thunderstorm Warning', severity: 'Severe', urgency: 'Expected', ended: false }
  const table: [string, string, string][] = [
    ['WEAHandling', 'Imminent Threat', 'immediate'],
    ['tornadoDamageThreat', 'CONSIDERABLE', 'immediate'],
    ['tornadoDetection', 'POSSIBLE', 'critical'],
    ['tornadoDetection', 'OBSERVED', 'immediate'],
    ['thunderstormDamageThreat', 'CONSIDERABLE', 'critical'],
    ['thunderstormDamageThreat', 'DESTRUCTIVE', 'immediate'],
    ['snowSquallImpact', 'SIGNIFICANT', 'immediate'],
    ['snowSquallImpact', 'GENERAL', 'priority'],
    ['flashFloodDetection', 'OBSERVED', 'priority'],
    ['maxHailSize', '1.00', 'priority'],
    ['maxHailSize', '1.75 IN', 'critical'],
    ['maxHailSize', '2.75', 'immediate'],
    ['maxHailSize', 'Up to 2.75', 'priority'],
    ['maxWindGust', '60 MPH', 'priority'],
    ['maxWindGust', '70 MPH', 'critical'],
    ['maxWindGust', '80 MPH', 'immediate'],
    ['maxWindGust', '70 KTS', 'immediate'],
    ['somethingElse', 'CATASTROPHIC', 'priority']
  ]
  for (const [name, value, level] of table)
    t.equal(nwsLevel({ ...NO_IMPACT, ...storm, kind: 'SV.W', tags: { [name]: value } }), level, `${name} ${value}`)
})

t.test(
  'a dangerous situation wakes for warnings of minutes; a watch, or a day of fire weather, is critical',
  async (t) => {
    const grade = gradeOf('THIS IS A PARTICULARLY DANGEROUS SITUATION.')
    const facts = { ...NO_IMPACT, severity: 'Severe', urgency: 'Expected', ended: false, grade }
    t.equal(nwsLevel({ ...facts, event: 'Severe Thunderstorm Warning', kind: 'SV.W' }), 'immediate')
    t.equal(nwsLevel({ ...facts, event: 'Red Flag Warning', kind: 'FW.W' }), 'critical')
    t.equal(
      nwsLevel({ ...facts, event: 'Tornado Watch', kind: 'TO.A', severity: 'Extreme', urgency: 'Future' }),
      'critical'
    )
  }
)

t.test('an emergency that is said to be over raises nothing', async (t) => {
  t.equal(gradeOf('THE TORNADO EMERGENCY HAS BEEN ALLOWED TO EXPIRE. A WARNING REMAINS.'), '')
  t.equal(gradeOf('THE FLASH FLOOD EMERGENCY FOR BOERNE IS NO LONGER IN EFFECT.'), '')
})

t.test('the tags of a text product have the names of the CAP parameters', async (t) => {
  const text = ['FLASH FLOOD...OBSERVED', 'FLASH FLOOD DAMAGE THREAT...CATASTROPHIC', 'MAX HAIL SIZE...2.75 IN'].join(
    '\n'
  )
  t.same(tagsIn(text), {
    flashFloodDetection: 'OBSERVED',
    flashFloodDamageThreat: 'CATASTROPHIC',
    maxHailSize: '2.75 IN'
  })
})

t.test('a river is graded by the stage of its flood, whatever urgency CAP gives', async (t) => {
  const level = (text: string, urgency: string) =>
    nwsLevel({
      ...NO_IMPACT,
      event: 'Flood Warning',
      severity: 'Severe',
      urgency,
      kind: 'FL.W',
      ended: false,
      flood: floodOf(text, SENT)
    })
  const table: [string, string, string][] = [
    ['Minor flooding is occurring.', 'Immediate', 'priority'],
    ['Minor flooding is forecast.', 'Expected', 'priority'],
    ['Moderate flooding is occurring and moderate flooding is forecast.', 'Immediate', 'priority'],
    ['Minor flooding is occurring and moderate flooding is forecast.', 'Immediate', 'critical'],
    [
      'Moderate flooding is occurring and moderate flooding is forecast. The river is expected to\nrise to a crest of 17.9 feet.',
      'Immediate',
      'critical'
    ],
    ['Moderate flooding is occurring. The river will fall below flood stage tomorrow.', 'Immediate', 'priority'],
    ['Moderate flooding is forecast.', 'Expected', 'priority'],
    ['Major flooding is forecast.', 'Expected', 'critical'],
    ['Major flooding is occurring.', 'Immediate', 'critical'],
    ['Record flooding is forecast.', 'Expected', 'critical'],
    ['Record flooding is occurring.', 'Immediate', 'immediate'],
    ['At 22 feet major flooding begins.', 'Immediate', 'critical']
  ]
  for (const [text, urgency, expected] of table) t.equal(level(text, urgency), expected, `${urgency}: ${text}`)
})

t.test('a dam that fails, or may, wakes those below it; what would fail at greater heights does not', async (t) => {
  const watch = {
    ...NO_IMPACT,
    event: 'Flash Flood Watch',
    severity: 'Severe',
    urgency: 'Future',
    kind: 'FF.A',
    ended: false
  }
  const level = (text: string, change: object = {}) => {
    const flood = floodOf(text, SENT)
    return nwsLevel({ ...watch, flood, dam: failingDam(text, flood), ...change })
  }
  t.equal(level('Flash flooding from heavy rain.'), 'priority')
  t.equal(
    level('Flash Flooding caused by a potential failure of the Lower\nFlower Creek Diversion Structure.'),
    'critical'
  )
  t.equal(level('The Oroville Dam spillway may fail.'), 'critical')
  t.equal(
    level('The levee along Mill Creek was breached.', { event: 'Flood Warning', urgency: 'Expected' }),
    'critical'
  )
  t.equal(level('The dam is stable. Failure of pumps is possible.'), 'priority')
  t.equal(level('The levee was breached.', { ended: true, severity: 'Minor', urgency: 'Past' }), 'routine')
  const river = 'Minor flooding is forecast. At 40.0 feet, levees fail along the lower valley.'
  t.equal(level(river, { event: 'Flood Warning', urgency: 'Immediate', kind: 'FL.W' }), 'priority')
})

t.test('H-VTEC gives the stage and the crest to come; behind the crest the words say what is left', async (t) => {
  const hvtec = (severity: string, crest: string, record = 'NO') =>
    `/JAMS1.${severity}.ER.260710T1352Z.${crest}.000000T0000Z.${record}/`
  t.same(floodOf(hvtec('3', '260717T0000Z'), SENT), { stage: 'major', rising: true })
  t.same(floodOf(hvtec('3', '260717T0000Z', 'NR'), SENT), { stage: 'record', rising: true })
  t.same(floodOf(`${hvtec('3', '260714T0000Z')}\nMinor flooding is occurring.`, SENT), {
    stage: 'minor',
    rising: false
  })
  t.same(floodOf(hvtec('1', '000000T0000Z'), SENT), { stage: 'minor', rising: false })
  t.equal(floodOf(hvtec('0', '000000T0000Z'), SENT), null, 'a flash flood has no stage')
  t.equal(floodOf('Flooding of creeks continues.', SENT), null)
  t.equal(floodLevel({ stage: 'moderate', rising: true }, true), 'critical')
})
