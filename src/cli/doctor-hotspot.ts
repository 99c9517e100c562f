import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { errorText } from '../platform/errors.ts'
import { findProgram } from '../platform/process/programs.ts'
import { HOTSPOT_STATE, linesOf } from '../settings/hotspot-wish.ts'
import type { Finding } from './finding.ts'

const LIST_MS = 10_000
/** Of deploy/hotspot/hotspot.nft: what guests reach of the station, and what keeps them from one another. */
const TABLES = ['inet', 'netdev'] as const

/** Looks whether the rules between guests of the hotspot are loaded now: another firewall that starts may clear them away. Tells nothing where no hotspot is on. */
export async function hotspotRules(stateFile: string = HOTSPOT_STATE): Promise<Finding[]> {
  if (linesOf(stateFile)?.['state'] !== 'on') return []
  const check = 'hotspot'
  const nft = findProgram('nft') ?? findProgram('/usr/sbin/nft')
  if (nft === null)
    return [{ check, state: 'missing', detail: 'it is on without nftables: sudo apt-get install nftables' }]
  const failures = (await Promise.all(TABLES.map((family) => failureOf(nft, family)))).filter((text) => text !== null)
  if (failures.length === 0)
    return [{ check, state: 'ok', detail: 'on; the rules that keep its guests apart are loaded' }]
  if (failures.some((text) => /not permitted/i.test(text)))
    return [{ check, state: 'warn', detail: 'on; whether its rules are loaded only root sees: sudo lookout doctor' }]
  const advice = 'sudo systemctl start lookout-hotspot (another firewall may have cleared them)'
  return [{ check, state: 'missing', detail: `on, and not all rules that keep its guests apart are loaded: ${advice}` }]
}

/** Null where the table is there. */
async function failureOf(nft: string, family: string): Promise<string | null> {
  try {
    await promisify(execFile)(nft, ['list', 'table', family, 'lookout_hotspot'], { timeout: LIST_MS })
    return null
  } catch (error) {
    return errorText(error)
  }
}
