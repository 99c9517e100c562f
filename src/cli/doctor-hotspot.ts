import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { because } from '../model/reason.ts'
import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { errorText } from '../platform/errors.ts'
import { findProgram } from '../platform/process/programs.ts'
import { hotspotReason } from '../settings/hotspot-reason.ts'
import { HOTSPOT_STATE, linesOf, readHotspotWish } from '../settings/hotspot-wish.ts'
import type { Finding } from './finding.ts'

const ASK_MS = 10_000
/** Of deploy/hotspot/hotspot.nft: what guests reach of the station, and what keeps them from one another. */
const TABLES = ['inet', 'netdev'] as const
const NAMES = 'lookout-hotspot-dns'
const check = 'hotspot'

interface HotspotLook {
  dataFolder: string
  language: Language
  /** The file in which root tells of it. */
  stateFile?: string
}

/** Looks at the hotspot that is asked for: its state, the names it gives out and the rules between its guests. Tells nothing where nobody asks for one. */
export async function hotspot({ dataFolder, language, stateFile = HOTSPOT_STATE }: HotspotLook): Promise<Finding[]> {
  const told = linesOf(stateFile)
  if (told?.['state'] === 'on') return [...(await namesOf()), await rules()]
  const wish = readHotspotWish(dataFolder)
  if (wish?.on !== true) return []
  if (told === null)
    return [
      { check, state: 'missing', detail: `it should be on; ${sentenceOf(because('hotspot_not_here'), language)}` }
    ]
  if (told['state'] === 'failed' && told['asked'] === String(wish.asked)) {
    const why = sentenceOf(hotspotReason(told['reason'] ?? ''), language)
    const advice = 'mended: sudo systemctl start lookout-hotspot; more: journalctl -u lookout-hotspot'
    return [{ check, state: 'missing', detail: `it should be on; ${why}; ${advice}` }]
  }
  const where = 'systemctl status lookout-hotspot.path lookout-hotspot'
  return [{ check, state: 'warn', detail: `it should be on, and that has not been done yet: ${where}` }]
}

/** Without addresses and names no phone finds the station. Where there is no service manager nobody can tell. */
async function namesOf(): Promise<Finding[]> {
  const systemctl = findProgram('systemctl')
  if (systemctl === null || (await failureOf(systemctl, ['is-active', '--quiet', NAMES])) === null) return []
  const advice = `sudo systemctl restart ${NAMES}; why: journalctl -u ${NAMES}`
  return [{ check, state: 'missing', detail: `on, and nothing gives out addresses and names: ${advice}` }]
}

/** Looks whether the rules are loaded now: another firewall that starts may clear them away. */
async function rules(): Promise<Finding> {
  const nft = findProgram('nft') ?? findProgram('/usr/sbin/nft')
  if (nft === null)
    return { check, state: 'missing', detail: 'it is on without nftables: sudo apt-get install nftables' }
  const asked = TABLES.map((family) => failureOf(nft, ['list', 'table', family, 'lookout_hotspot']))
  const failures = (await Promise.all(asked)).filter((text) => text !== null)
  if (failures.length === 0)
    return { check, state: 'ok', detail: 'on; the rules that keep its guests apart are loaded' }
  if (failures.some((text) => /not permitted/i.test(text)))
    return { check, state: 'warn', detail: 'on; whether its rules are loaded only root sees: sudo lookout doctor' }
  const advice = 'sudo systemctl start lookout-hotspot (another firewall may have cleared them)'
  return { check, state: 'missing', detail: `on, and not all rules that keep its guests apart are loaded: ${advice}` }
}

/** Null where the program ends well. */
async function failureOf(program: string, words: readonly string[]): Promise<string | null> {
  try {
    await promisify(execFile)(program, words, { timeout: ASK_MS })
    return null
  } catch (error) {
    return errorText(error)
  }
}
