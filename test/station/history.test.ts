import t from 'tap'
import { feedsMeasured } from '../../src/station/history.ts'
import { blankStatus, type SourceState } from '../../src/warning/feeds/status.ts'

t.test('a source that was not asked since the start is neither up nor down: a start is no outage', (t) => {
  const states: SourceState[] = [
    'waiting',
    'ok',
    'unchanged',
    'polling',
    'ready',
    'failing',
    'stale',
    'blocked',
    'down'
  ]
  const facts = { kind: 'rss', mode: 'poll', reason: null, about: '' } as const
  const off = blankStatus({ ...facts, name: 'off', enabled: false, state: 'off' })
  const list = states.map((state) => blankStatus({ ...facts, name: state, enabled: true, state }))
  const measured = Object.entries(feedsMeasured({ list: () => [...list, off] }))
  t.same(
    measured.map(([name, values]) => [name, typeof values === 'object' ? values?.['up'] : values]),
    [
      ['waiting', null],
      ['ok', 1],
      ['unchanged', 1],
      ['polling', 1],
      ['ready', 1],
      ['failing', 0],
      ['stale', 0],
      ['blocked', 0],
      ['down', 0]
    ]
  )
  t.end()
})
