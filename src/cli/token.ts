import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'
import { prepareDataFolder } from '../platform/files/data-folder.ts'
import { SessionStore } from '../platform/sessions/session-store.ts'
import { TokenStore } from '../platform/sessions/tokens.ts'
import { verbFolder } from './data-folder.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout token new --scope events|operator [--name NAME] [--data DIR]
       lookout token list [--data DIR]
       lookout token revoke ID [--data DIR]
       lookout token claim [--new] [--data DIR]

Tokens for programs: send one as "Authorization: Bearer TOKEN".
  events    may post events, nothing else
  operator  may do what the operator may
A token is shown once, when it is made; only its hash is kept (tokens.json in the data folder).

claim makes the code that lets a person choose the passphrase of the dashboard at /sign-in, while nobody has.
  --new     also when somebody has: the passphrase is forgotten and every session ends
A running station takes it up at once. Kept in session.json, as hashes.
`

/** `lookout token`: contract §10. */
export async function token(args: string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      scope: { type: 'string' },
      name: { type: 'string' },
      data: { type: 'string' },
      new: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  const [action, id] = positionals
  if (values.help || action === undefined) {
    context.out(HELP)
    return values.help ? 0 : 2
  }
  const folder = verbFolder(values.data, context, { writes: action !== 'list' })
  if (action === 'claim') return makeClaim(folder, values.new === true, context)
  const store = new TokenStore({ folder })
  if (action === 'new') return makeToken(store, { ...values, folder }, context)
  if (action === 'list') {
    for (const entry of await store.list())
      context.out(`${entry.id}  ${entry.scope}  ${entry.created_at}  ${entry.name}\n`)
    return 0
  }
  if (action === 'revoke') return revokeToken(store, id, context)
  throw new AppError('usage', because('token_action_unknown', { action }))
}

async function revokeToken(store: TokenStore, id: string | undefined, context: VerbContext): Promise<number> {
  if (id === undefined) throw new AppError('usage', because('token_names_one'))
  if (!(await store.revoke(id))) throw new AppError('bad-input', because('no_such_token', { id }))
  context.err(`token ${id} is revoked\n`)
  return 0
}

async function makeClaim(folder: string, reset: boolean, context: VerbContext): Promise<number> {
  await prepareDataFolder(resolve(folder))
  const store = new SessionStore({ folder })
  const { claimed } = await store.state()
  if (claimed && !reset) throw new AppError('bad-input', because('claimed_by_somebody'))
  const code = await store.newClaim({ reset })
  context.err('claim code, shown only now; type it in at /sign-in:\n')
  context.out(`${code}\n`)
  return 0
}

async function makeToken(
  store: TokenStore,
  values: { scope?: string | undefined; name?: string | undefined; folder: string },
  context: VerbContext
): Promise<number> {
  const { scope, name = '' } = values
  if (scope !== 'events' && scope !== 'operator') throw new AppError('usage', because('token_names_scope'))
  // A token may be made before the first start, when a card is prepared.
  await prepareDataFolder(resolve(values.folder))
  const made = await store.create({ scope, name })
  context.err(`token ${made.id} (${scope}); it is shown only now:\n`)
  context.out(`${made.token}\n`)
  return 0
}
