import t from 'tap'
import { AIR_LANGUAGES } from '../../../src/model/air-languages.ts'
import { ANSWERS } from '../../../src/warning/messages/catalogue/answers.ts'
import { asks } from '../../helpers/asks.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const config = {
  ...withMatrix({ fire: { North: { mt: 3 } } }),
  station: { language: 'de', time_format: '24h' },
  messages: { channels: { 'mt:3': { language: 'fr', ascii: true } } },
  coverage: { areas: [{ name: 'North', west: -117, south: 43, east: -116, north: 44 }] }
}
const answer = async (s: Station, text: string, more: object = {}): Promise<string> => {
  const [told = ''] = await asks(s, s.mt, { from: '!00000001', text, ...more })
  return told.slice(told.indexOf(' ') + 1)
}

t.test('answers are in the language of the station, and of the channel where somebody asks on one', async (t) => {
  const s = await station(t, { config })
  t.equal(await answer(s, '!alerts north'), 'Keine Warnungen für north.')
  t.equal(await answer(s, '!catchup'), 'Nichts in Kraft.')
  t.equal(await answer(s, '!alerts Mars'), 'Keine Region heißt hier Mars. Regionen: North.')
  t.match(await answer(s, '!help'), /^Fragen: !alerts \[Region\], !catchup \[Region\], !status/)
  t.match(await answer(s, '!status'), /^MT bereit, MC bereit, 0 Warnungen, läuft /)
  t.equal(await answer(s, '!catchup', { channel: 3, direct: false }), 'Rien en vigueur sur le canal 3.')
})

t.test('an all-clear that nobody can give is refused in every language, with the reason', async (t) => {
  for (const language of AIR_LANGUAGES) {
    const problem = { code: 'source_silent' as const, params: { name: 'DWD' }, blocking: false, link: '/' }
    const s = await station(t, { config: { ...config, station: { language } }, problems: () => [problem] })
    const told = await answer(s, '!alerts')
    t.ok(told.startsWith(ANSWERS[language].noAlertsKnown), told)
    t.match(told, /DWD/)
    t.notOk(told.includes(`${ANSWERS[language].noAlerts}.`), told)
  }
})
