import { because, type Reason } from '../../model/reason.ts'
import { findProgram } from '../../platform/process/programs.ts'
import { installHint, type NeededProgramName } from '../enrich/needed-programs.ts'

/** The abilities of this machine for one kind of file. */
export interface ToolReport {
  /** `.docx`, or `scanned PDF`. */
  format: string
  /** The program that will be used, `built in`, or null: files of this kind wait. */
  tool: string | null
  /** `full`: text, pictures and layout; `text`: the text, simply laid out; `none`: such files wait until a program is installed. */
  quality: 'full' | 'text' | 'none'
  /** One sentence about what is used, or what is missing. */
  note: Reason
  /** Command that brings what is missing or something better; null when there is nothing to gain. */
  install: string | null
}

type Way = { needs: readonly NeededProgramName[]; tool: string; quality: 'full' | 'text'; note: Reason }

/** Ways of reading each kind of file, best first. */
const WAYS: readonly { format: string; ways: readonly Way[] }[] = [
  {
    format: '.pdf',
    ways: [{ needs: ['pdftotext', 'pdfinfo'], tool: 'pdftotext', quality: 'full', note: because('way_text_of_pages') }]
  },
  {
    format: 'scanned PDF',
    ways: [
      {
        needs: ['pdftotext', 'pdfinfo', 'pdftoppm', 'tesseract'],
        tool: 'tesseract',
        quality: 'full',
        note: because('way_ocr')
      }
    ]
  },
  { format: '.txt', ways: [{ needs: [], tool: 'built in', quality: 'full', note: because('way_as_it_is') }] },
  {
    format: '.epub',
    ways: [
      {
        needs: ['ebook-convert', 'pdftotext', 'pdfinfo'],
        tool: 'calibre',
        quality: 'full',
        note: because('way_calibre')
      },
      {
        needs: ['pdftotext', 'pdfinfo'],
        tool: 'built in',
        quality: 'text',
        note: because('way_laid_out')
      }
    ]
  },
  {
    format: '.mobi',
    ways: [
      {
        needs: ['ebook-convert', 'pdftotext', 'pdfinfo'],
        tool: 'calibre',
        quality: 'full',
        note: because('way_calibre')
      },
      {
        needs: ['mobitool', 'pdftotext', 'pdfinfo'],
        tool: 'mobitool',
        quality: 'text',
        note: because('way_laid_out')
      }
    ]
  },
  {
    format: '.docx',
    ways: [
      {
        needs: ['soffice', 'pdftotext', 'pdfinfo'],
        tool: 'LibreOffice',
        quality: 'full',
        note: because('way_libreoffice')
      },
      {
        needs: ['pdftotext', 'pdfinfo'],
        tool: 'built in',
        quality: 'text',
        note: because('way_laid_out')
      }
    ]
  },
  {
    format: '.doc',
    ways: [
      {
        needs: ['soffice', 'pdftotext', 'pdfinfo'],
        tool: 'LibreOffice',
        quality: 'full',
        note: because('way_libreoffice')
      },
      {
        needs: ['catdoc', 'pdftotext', 'pdfinfo'],
        tool: 'catdoc',
        quality: 'text',
        note: because('way_text_alone')
      }
    ]
  }
]

/** Reports what is done with every kind of file here, and what to install; `find` looks programs up on the PATH. */
export async function toolReport(find: (name: string) => string | null = findProgram): Promise<ToolReport[]> {
  const has = (name: NeededProgramName): boolean => find(name) !== null
  return WAYS.map(({ format, ways }) => reportOf(format, ways, has))
}

function reportOf(format: string, ways: readonly Way[], has: (name: NeededProgramName) => boolean): ToolReport {
  const usable = ways.find(({ needs }) => needs.every(has))
  if (usable !== undefined) {
    // Calibre is large and not everybody's choice: it is used when it is there, never asked for.
    const better =
      usable.quality === 'text' ? ways.find(({ quality, tool }) => quality === 'full' && tool !== 'calibre') : undefined
    const absent = better?.needs.filter((name) => !has(name)) ?? []
    const { tool, quality, note } = usable
    return { format, tool, quality, note, install: absent.length === 0 ? null : installHint(absent) }
  }
  const absent = (ways.at(-1)?.needs ?? []).filter((name) => !has(name))
  const note = because('waits_for_programs', { count: absent.length, programs: absent })
  return { format, tool: null, quality: 'none', note, install: installHint(absent) }
}
