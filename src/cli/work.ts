import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'
import type { VerbContext } from './verb.ts'

/**
 * `lookout work ROLE …`: what the program starts itself as, in another process. Not for people: no help, no promise that
 * roles or their arguments stay. Roles are loaded when they are asked for (`VerbContext.roles`).
 */
export async function work(args: string[], context: VerbContext): Promise<number> {
  const [role = '', ...rest] = args
  const load = roleOf(role, context)
  if (load === undefined) throw new AppError('usage', because('verb_for_program_help'))
  const run = await load()
  return run({ ...context, role, args: rest })
}

/** `convert:epub` is a kind of the role `convert`. */
function roleOf(role: string, { roles }: VerbContext): VerbContext['roles'][string] | undefined {
  const [name = ''] = role.split(':')
  return Object.hasOwn(roles, name) ? roles[name] : undefined
}
