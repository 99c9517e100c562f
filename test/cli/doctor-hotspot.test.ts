import { join } from 'node:path'
import t, { type Test } from 'tap'
import { hotspot } from '../../src/cli/doctor-hotspot.ts'
import type { Finding } from '../../src/cli/finding.ts'

/** The doctor on a hotspot that is asked for. One that runs is looked at in test/app/hotspot.test.ts. */

const wish = (state: string): string => `state=${state}\nssid=Hill\npassphrase=correct horse\nchannel=6\nasked=3\n`
const told = (state: string, reason = '', asked = 3): string => `state=${state}\nreason=${reason}\nasked=${asked}\n`

function findings(t: Test, files: { wish?: string; told?: string }, language: 'en' | 'de' = 'en'): Promise<Finding[]> {
  const folder = t.testdir({
    ...(files.wish === undefined ? {} : { hotspot: files.wish }),
    ...(files.told === undefined ? {} : { state: files.told })
  })
  return hotspot({ dataFolder: folder, language, stateFile: join(folder, 'state') })
}

t.test('nothing is said of a hotspot that nobody asks for', async (t) => {
  t.same(await findings(t, {}), [])
  t.same(await findings(t, { told: told('off') }), [])
  t.same(await findings(t, { wish: wish('off'), told: told('off') }), [])
})

t.test('one that failed says why, and what to do then', async (t) => {
  const failed = { wish: wish('on'), told: told('failed', 'no_dnsmasq') }
  const [row] = await findings(t, failed)
  t.match(row, { check: 'hotspot', state: 'missing' })
  t.match(row?.detail, /should be on.*sudo apt-get install dnsmasq-base.*sudo systemctl start lookout-hotspot/)
  t.match((await findings(t, failed, 'de'))[0]?.detail, /dnsmasq fehlt/)
})

t.test('one that nothing here switches says that', async (t) => {
  t.match(await findings(t, { wish: wish('on') }), [
    { state: 'missing', detail: /lookout-hotspot\.service is not installed/ }
  ])
})

t.test('a wish that root has not answered says where to look', async (t) => {
  for (const state of [told('off', '', 2), told('failed', 'no_wifi', 2), told('off')])
    t.match(
      await findings(t, { wish: wish('on'), told: state }),
      [{ state: 'warn', detail: /not been done.*systemctl status lookout-hotspot\.path lookout-hotspot/ }],
      state
    )
})
