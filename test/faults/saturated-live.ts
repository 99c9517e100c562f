import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TokenStore } from '../../src/platform/sessions/tokens.ts'
import { eventually, Launched, type Running, running } from '../helpers/process.ts'
import { PeerRadios } from './peer-radios.ts'
import { CELLS, SATURATED_CONFIG, type SaturatedEvent, SaturatedMaker, tokenOf } from './saturated-events.ts'
import { seeded } from './storm-events.ts'

/** Number of LongFast, and what a long text takes there: the slowest preset that has to keep 5 s. */
const LONG_FAST = 0
const AIRTIME_MS = 1900
const QUEUE = 200
const BOUND_MS = 5000

export const LIVE_RULES = [
  'live: the radios refuse nothing',
  'live: an immediate message is on the air of both within 5 s',
  'live: the messages wait that were promised'
] as const

/** The program itself with 200 routine messages for each radio, both peers over TCP, in real time. */
export async function liveSlice({ seed, seconds }: { seed: number; seconds: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-saturated-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const names = Object.values(CELLS).flatMap(({ mc }) => (mc === null || mc === 'Public' ? [] : [mc]))
  const radios = await PeerRadios.start({
    link: 'tcp',
    folder,
    mcChannels: names,
    preset: LONG_FAST,
    airtimeMs: AIRTIME_MS
  })
  writeFileSync(join(data, 'config.json'), JSON.stringify({ ...SATURATED_CONFIG, radios: radios.config }))
  const { token } = await new TokenStore({ folder: data }).create({ scope: 'events' })
  const launched = new Launched({
    args: ['start', '--port', '0', '--data', data, '--no-demo'],
    env: { LOOKOUT_LOG: 'error' }
  })
  try {
    const program = await running(launched)
    await eventually('both radios are ready', async () => {
      const { json } = await program.get<{ radios: { state: string }[] }>('/api/radios')
      return json.radios.every(({ state }) => state === 'ready')
    })
    return await flood(program, radios, { seed, seconds, token })
  } finally {
    await launched.kill()
    await radios.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function flood(program: Running, radios: PeerRadios, o: { seed: number; seconds: number; token: string }) {
  const maker = new SaturatedMaker(seeded(o.seed))
  const chance = seeded(o.seed + 1)
  const problems: { rule: string; what: string }[] = []
  const post = async (events: SaturatedEvent[]): Promise<void> => {
    const { status, text } = await program.post('/api/events', events, { authorization: `Bearer ${o.token}` })
    if (status !== 202) throw new Error(`POST /api/events answered ${status}: ${text}`)
  }
  const routine = (network: 'mt' | 'mc'): SaturatedEvent[] =>
    Array.from({ length: QUEUE + 40 }, () => maker.routine(network))
  await post([...routine('mt'), ...routine('mc')])
  await eventually('the radios are at work', () => radios.aired.length > 1)
  const latencies: Record<'mt' | 'mc', number[]> = { mt: [], mc: [] }
  const end = Date.now() + o.seconds * 1000
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 1000 + chance() * 4000))
    const event = maker.immediate()
    const at = Date.now()
    await post([event])
    for (const network of ['mt', 'mc'] as const) {
      const heard = await eventually(`${event.id} is on the air of ${network}`, () =>
        radios.onAir.find((one) => one.network === network && tokenOf(one.text) === event.id)
      )
      latencies[network].push(heard.at - at)
      if (heard.at - at > BOUND_MS)
        problems.push({ rule: LIVE_RULES[1], what: `${event.id} on ${network} after ${heard.at - at} ms` })
    }
  }
  const { json } = await program.get<{ radios: { id: string; queue: { waiting: number } }[] }>('/api/radios')
  for (const { id, queue } of json.radios)
    if (queue.waiting < QUEUE) problems.push({ rule: LIVE_RULES[2], what: `${queue.waiting} for ${id}` })
  for (const what of radios.refused) problems.push({ rule: LIVE_RULES[0], what })
  return { latencies, sent: radios.aired.length, problems }
}
