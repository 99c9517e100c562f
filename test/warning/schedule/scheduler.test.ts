import { pino } from 'pino'
import t from 'tap'
import { Scheduler } from '../../../src/warning/schedule/scheduler.ts'

const job = (name: string, cron: string) => ({ name, cron, run: () => undefined })

t.test('a change that cannot be scheduled is told to whoever asked, and spoils no later one', async (t) => {
  const scheduler = new Scheduler(pino({ level: 'silent' }))
  t.teardown(() => scheduler.stop())
  await scheduler.set('broadcasts', [job('morning', '0 7 * * *')], 'UTC')
  await t.rejects(scheduler.set('broadcasts', [job('good', '0 8 * * *'), job('bad', '61 25 * * *')], 'UTC'))
  await t.resolves(scheduler.set('other', [job('noon', '0 12 * * *')], 'America/Boise'))
  await t.resolves(scheduler.clockSet(), 'the jobs before are there, and are made anew')
  await t.resolves(scheduler.set('broadcasts', [], 'UTC'))
})
