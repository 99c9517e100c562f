// The work of `lookout work convert:… IN OUT`, without the rest of the program: tests start it as a process of its own.
import { convertRoles } from '../../src/knowledge/intake/convert/roles.ts'

const [, role = '', ...args] = process.argv.slice(2)
const run = await convertRoles[role]?.()
await run?.(args)
