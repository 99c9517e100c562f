import { resolve } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { EMPTY } from '../../platform/process/run.ts'
import { EXTRACT_LIMITS, type ExtractTools, systemTools } from './extract-tools.ts'
import { missingProgram } from './needed-programs.ts'

/** The facts of a PDF about itself; empty = nothing. */
export interface PdfFacts {
  title: string
  author: string
  subject: string
  /** ISO 8601, as written by its maker. */
  created: string
  modified: string
  pages: number
  /** The kind of form it holds: `none`, `AcroForm` or `XFA`. */
  form: string
  /** Protected against changes or copying; it opens without a password, else `pdfFacts` throws. */
  encrypted: boolean
}

/**
 * Asks `pdfinfo`. @throws AppError `missing` not installed, `invalid` it opens only with a password, `bad-input` damaged or
 * without pages, `too-large` more than 20,000 pages.
 */
export async function pdfFacts(
  path: string,
  { tools = systemTools, signal }: { tools?: ExtractTools; signal?: AbortSignal } = {}
): Promise<PdfFacts> {
  if (tools.find('pdfinfo') === null) throw missingProgram('pdfinfo')
  const result = await tools.run({
    command: 'pdfinfo',
    args: ['-isodates', '-enc', 'UTF-8', resolve(path)],
    cwd: EMPTY,
    reads: [resolve(path)],
    limits: { timeMs: EXTRACT_LIMITS.infoMs, memoryBytes: EXTRACT_LIMITS.memoryBytes, outputBytes: 1024 * 1024 },
    ...(signal === undefined ? {} : { signal })
  })
  if (/incorrect password/i.test(result.stderr)) {
    throw new AppError('invalid', because('pdf_encrypted'))
  }
  const said = fieldsOf(result.stdout.toString('utf8'))
  const pages = Number.parseInt(said.get('Pages') ?? '', 10)
  if (result.code !== 0 || !(pages > 0)) throw new AppError('bad-input', damage(result.stderr))
  if (pages > EXTRACT_LIMITS.pages) {
    throw new AppError('too-large', because('pdf_too_many_pages', { pages, limit: EXTRACT_LIMITS.pages }))
  }
  return {
    title: said.get('Title') ?? '',
    author: said.get('Author') ?? '',
    subject: said.get('Subject') ?? '',
    created: said.get('CreationDate') ?? '',
    modified: said.get('ModDate') ?? '',
    pages,
    form: said.get('Form') ?? 'none',
    encrypted: (said.get('Encrypted') ?? 'no').startsWith('yes')
  }
}

function damage(stderr: string): Reason {
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
  return said === '' ? because('pdf_damaged') : because('pdf_damaged_said', { said })
}

/** The lines `Name:   value`; the first of a name counts, so that a title cannot bring lines of its own. */
function fieldsOf(output: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of output.split('\n')) {
    const match = /^([A-Za-z ]+):\s+(.*)$/.exec(line)
    if (match === null) continue
    const [, name = '', value = ''] = match
    if (!fields.has(name)) fields.set(name, value.replace(/\p{C}/gu, ' ').trim())
  }
  return fields
}
