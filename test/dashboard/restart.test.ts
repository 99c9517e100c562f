import t from 'tap'
import { FROM_AFAR, station } from './harness.ts'

const RESTART = { method: 'POST', path: '/api/restart' }

/** A station that something starts again; `asked` counts how often it was to end. */
async function watched(t: Parameters<typeof station>[0], by: string | null) {
  const told = { asked: 0 }
  const restart = { by, ask: () => void told.asked++ }
  return { ...(await station(t, { context: { restart } })), told }
}

t.test('the operator restarts a station that something starts again', async (t) => {
  const { ask, told, context } = await watched(t, 'systemd')
  const { status, body } = await ask(RESTART)
  t.equal(status, 202)
  t.same(body, { ok: true, by: 'systemd', started_at: new Date(context.startedAt).toISOString() })
  t.equal(told.asked, 1)
  const { text } = await ask('/profile')
  t.match(text, /systemd starts the program again[\s\S]*Restart now/)
  t.match((await ask({ path: '/profile', headers: { cookie: 'lang=de' } })).text, 'Jetzt neu starten')
})

t.test('a guest restarts nothing, and is shown no button', async (t) => {
  const { ask, told } = await watched(t, 'systemd')
  t.equal((await ask({ ...RESTART, headers: FROM_AFAR })).status, 401)
  t.equal(told.asked, 0)
  t.notMatch((await ask({ path: '/profile', headers: FROM_AFAR })).text, 'id="restart"')
})

t.test('started by hand it is not ended from afar: the page says that nothing would start it again', async (t) => {
  const { ask, told } = await watched(t, null)
  t.match(await ask(RESTART), { status: 409, body: { detail: /started by hand/ } })
  t.equal(told.asked, 0)
  const { text } = await ask('/profile')
  t.match(text, 'nothing would start it again')
  t.notMatch(text, 'Restart now')
})

t.test('a preview restarts nothing', async (t) => {
  const { ask } = await station(t, { context: { mode: 'preview', restart: { by: 'systemd', ask: t.fail } } })
  t.equal((await ask(RESTART)).status, 503)
})

t.test('the page says how this installation is brought up to date, and fakes no button for it', async (t) => {
  const said = async (isBundle: boolean) => (await (await station(t, { context: { isBundle } })).ask('/profile')).text
  t.match(await said(true), 'run its install.sh')
  t.match(await said(false), 'npm run build')
})
