import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import type { StagedBundle, UpdateOutcome, UpdateWay } from '../dashboard/server/update.ts'
import { because, isReason, type Reason } from '../model/reason.ts'
import { looseObject } from '../platform/config/object.ts'
import { errorCode } from '../platform/files/atomic-file.ts'

/** Written by deploy/systemd/lookout-update. */
export const UPDATE_STATE = '/var/lib/lookout-update/state'
/** Written by deploy/image/customise: the root of this machine is never written (docs/decisions/0052). */
export const IMAGE_MARK = '/etc/lookout-image'

/** The words of root about updates. */
export interface RootState {
  way: UpdateWay
  state: 'idle' | 'running' | 'done'
  /** The number of the wish it is about. */
  asked: number
  outcome: UpdateOutcome | null
}

const OUTCOMES = ['updated', 'rolled_back', 'refused', 'failed'] as const
const STATES = ['idle', 'running', 'done'] as const

/** Null where nothing on this machine installs a release. */
export async function readUpdateState(file: string): Promise<RootState | null> {
  const text = await textIfThere(file)
  if (text === null) return null
  const lines = new Map(text.split('\n').map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]))
  const field = (name: string): string => lines.get(name) ?? ''
  const outcome = OUTCOMES.find((one) => one === field('outcome'))
  return {
    way: field('way') === 'package' ? 'package' : 'page',
    state: STATES.find((one) => one === field('state')) ?? 'idle',
    asked: Number(field('asked')) || 0,
    outcome:
      outcome === undefined
        ? null
        : {
            outcome,
            reason: outcome === 'updated' ? null : reasonOfWord(field('reason'), field('said')),
            from: field('from'),
            to: field('to'),
            at: (Number(field('at')) || 0) * 1000
          }
  }
}

/** The reason of an end from the word of lookout-update. One that a newer one says is told as it is. */
function reasonOfWord(word: string, said: string): Reason {
  switch (word) {
    case 'bundle_gone':
    case 'bundle_changed':
    case 'bundle_too_large':
    case 'bundle_no_archive':
    case 'bundle_cut_off':
    case 'bundle_other_machine':
    case 'bundle_older':
    case 'update_no_room':
    case 'update_interrupted':
    case 'update_package':
      return because(word)
    case 'update_not_healthy':
      return because('update_not_healthy', { said })
    case 'update_failed':
      return because('update_failed', { said })
    default:
      return because('bundle_not_checked', { said: said === '' ? word : said })
  }
}

/** The facts of a bundle, as `lookout verify-bundle` prints them; what a later release adds is left out. */
export const bundleFactsSchema = v.object({
  version: v.string(),
  arch: v.string(),
  made_at: v.string(),
  development: v.boolean(),
  key: v.string(),
  files: v.number(),
  bytes: v.number(),
  order: v.picklist(['newer', 'same', 'older']),
  fits: v.boolean()
})

const stagedSchema = looseObject({
  name: v.string(),
  size: v.number(),
  sha256: v.string(),
  facts: v.nullable(bundleFactsSchema),
  refused: v.nullable(v.custom<Reason>(isReason))
})

/** The bundle that is here, as it was looked at; null without one. What cannot be read is none: it is uploaded again. */
export async function readStaged(file: string): Promise<StagedBundle | null> {
  const text = await textIfThere(file)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return v.is(stagedSchema, value) ? value : null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}

export const stagedText = (staged: StagedBundle): string => `${JSON.stringify(staged, null, 1)}\n`

/** The number that a line of a file says; 0 where it does not. */
export async function numberIn(file: string, line: RegExp): Promise<number> {
  return Number(line.exec((await textIfThere(file)) ?? '')?.[1] ?? 0)
}

/** Null where there is no file, or none that may be read. */
export async function textIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}
