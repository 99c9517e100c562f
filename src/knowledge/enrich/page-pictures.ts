import { resolve } from 'node:path'
import { AppError } from '../../platform/errors.ts'
import { EXTRACT_LIMITS, type ExtractTools } from './extract-tools.ts'

/** A page with so much of it covered is a picture of a page, whatever text lies behind it. */
const COVERED = 0.4
const POINTS_AN_INCH = 72
/** Where no size is told: A4, in square inches. */
const USUAL = 8.27 * 11.69
/** Masks of other pictures are not seen by themselves. */
const UNSEEN = 'smask'

/** The share of each page that its pictures cover, 0 and more, by its number; pages without a picture are not in it. */
export type PagePictures = ReadonlyMap<number, number>

export const isCovered = (pictures: PagePictures, page: number): boolean => (pictures.get(page) ?? 0) >= COVERED

/** Asks `pdfimages` and `pdfinfo`; null when it cannot be told. */
export async function picturesOf(
  { source, workFolder, pages, signal }: { source: string; workFolder: string; pages: number; signal?: AbortSignal },
  tools: ExtractTools
): Promise<PagePictures | null> {
  if (tools.find('pdfimages') === null) return null
  const ask = async (command: string, args: readonly string[]): Promise<string | null> => {
    const { code, stdout } = await tools.run({
      command,
      args: [...args, resolve(source)],
      cwd: workFolder,
      reads: [resolve(source)],
      limits: {
        timeMs: EXTRACT_LIMITS.textMs + pages * EXTRACT_LIMITS.textMsPerPage,
        memoryBytes: EXTRACT_LIMITS.memoryBytes,
        outputBytes: 16 * 1024 * 1024
      },
      ...(signal === undefined ? {} : { signal })
    })
    return code === 0 ? stdout.toString('utf8') : null
  }
  try {
    const listed = await ask('pdfimages', ['-list'])
    if (listed === null) return null
    return covered(areasOf(listed), sizesOf((await ask('pdfinfo', ['-f', '1', '-l', String(pages)])) ?? ''))
  } catch (error) {
    if (error instanceof AppError && (error.code === 'timeout' || error.code === 'too-large')) return null
    throw error
  }
}

/** Square inches of the pictures of each page, of a list as `pdfimages -list` prints it. */
export function areasOf(listed: string): Map<number, number> {
  const areas = new Map<number, number>()
  for (const line of listed.split('\n')) {
    const [page = '', , type, width, height, ...rest] = line.trim().split(/\s+/)
    if (!/^\d+$/.test(page) || type === UNSEEN) continue
    const [across, down] = rest.slice(-4, -2).map(Number)
    const area = (Number(width) / (across || POINTS_AN_INCH)) * (Number(height) / (down || POINTS_AN_INCH))
    areas.set(Number(page), (areas.get(Number(page)) ?? 0) + (Number.isFinite(area) && area > 0 ? area : 0))
  }
  return areas
}

/** Square inches of each page, as `pdfinfo -f 1 -l N` prints them. */
export function sizesOf(told: string): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const [, page, width, height] of told.matchAll(/^Page\s+(\d+)\s+size:\s+([\d.]+) x ([\d.]+) pts/gm))
    sizes.set(Number(page), (Number(width) / POINTS_AN_INCH) * (Number(height) / POINTS_AN_INCH))
  return sizes
}

function covered(areas: ReadonlyMap<number, number>, sizes: ReadonlyMap<number, number>): PagePictures {
  return new Map([...areas].map(([page, area]) => [page, area / (sizes.get(page) || USUAL)]))
}
