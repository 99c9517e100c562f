import type { WorkContext } from '../cli/verb.ts'
import { encodingRoles } from '../knowledge/encoding/roles.ts'
import { convertRoles } from '../knowledge/intake/convert/roles.ts'
import { zimRoles } from '../knowledge/library/zim-roles.ts'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'

const roles = { ...convertRoles, ...encodingRoles, ...zimRoles }

/** Roles `convert:…`: parsers of files from strangers, each run in a bounded process of its own. */
export async function runConverter({ role, args }: WorkContext): Promise<number> {
  const load = Object.hasOwn(roles, role) ? roles[role] : undefined
  if (load === undefined) throw new AppError('usage', because('verb_for_program'))
  const convert = await load()
  await convert(args)
  return 0
}
