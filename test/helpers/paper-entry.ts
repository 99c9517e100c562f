// The work of `lookout work print:page`, without the rest of the program: tests start it as a process of its own.
import { printPage } from '../../src/dashboard/paper/paper-role.ts'

await printPage()
