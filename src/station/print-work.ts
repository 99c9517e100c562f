import type { WorkContext } from '../cli/verb.ts'
import { PRINT_ROLE } from '../dashboard/paper/print.ts'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'

/** Role `print:page`: a page of the dashboard as a PDF, set in a bounded process of its own. */
export async function runPrinter({ role }: WorkContext): Promise<number> {
  if (role !== PRINT_ROLE) throw new AppError('usage', because('verb_for_program'))
  const { printPage } = await import('../dashboard/paper/paper-role.ts')
  await printPage()
  return 0
}
