/** An operator of a booted image: gives it a matrix, and what a power cut must not take. docs/decisions/0053-cut-power-after-the-event.md */
import { appendFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Board, STATION_NAME } from './image-board.ts'

/** Every so many events the station gets another name. */
const EVENTS_TO_A_NAME = 10

/** A token of the operator, made on the board by who owns the data. */
export async function tokenOf(board: Board): Promise<string> {
  const program = '/opt/lookout/current/bin/node /opt/lookout/current/dist/lookout.js'
  const said = await board.ask(
    `runuser -u lookout -- ${program} token new --scope operator --name cuts --data /var/lib/lookout`
  )
  const token = /^lookout_[\w-]{20,}$/m.exec(said)?.[0]
  if (token === undefined) throw new Error(`no token: ${said}`)
  return token
}

export async function settings(board: Board, token: string, set: Record<string, unknown>): Promise<void> {
  const answer = await board.call('POST', '/api/settings', { token, body: { set } })
  if (!answer.ok) throw new Error(`settings: ${answer.status} ${await answer.text()}`)
}

/** All that is fire goes to Meshtastic; its radio is not there, so that every message waits in the queue. */
export const ROUTES = {
  '/notifications/region_routes': { enabled: true, cells: { fire: { Ada: { mt: 0, min_severity: 'routine' } } } }
}

const titleOf = (nth: number): string => `Table Rock ${nth}`

/** Posts one event; its title. */
export async function post(board: Board, token: string, nth: number): Promise<string> {
  const body = {
    ...{ source: 'cuts', id: `cut-${nth}`, family: 'fire', category: 'wildfire', severity: 'critical' },
    ...{ title: titleOf(nth), zones: ['IDC001'], sent_at: new Date().toISOString() }
  }
  const answer = await board.call('POST', '/api/events', { token, body })
  if (answer.status !== 202) throw new Error(`event ${nth}: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
  return titleOf(nth)
}

/** Posts events, one after the other, and notes in acks.ndjson how long the log of writes was when each was acknowledged. */
export async function postAll(
  board: Board,
  token: string,
  { count, log }: { count: number; log: string }
): Promise<void> {
  const note = (ack: object): void =>
    appendFileSync(
      join(log, 'acks.ndjson'),
      `${JSON.stringify({ ...ack, log: statSync(join(log, 'log.img')).size })}\n`
    )
  for (let nth = 1; nth <= count; nth++) {
    await post(board, token, nth)
    note({ id: `cut-${nth}` })
    if (nth % EVENTS_TO_A_NAME !== 0) continue
    await settings(board, token, { '/station/name': `${STATION_NAME} ${nth}` })
    note({ name: nth })
  }
}
