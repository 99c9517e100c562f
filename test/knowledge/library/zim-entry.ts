// The work of `lookout work convert:zim-… FILE`, without the rest of the program: tests start it as a process of its
// own.
import { zimRoles } from '../../../src/knowledge/library/zim-roles.ts'

const [, role = '', ...args] = process.argv.slice(2)
const run = await zimRoles[role]?.()
await run?.(args)
