import { open } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { jsonOr } from '../../platform/bytes/json-or.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'

/** Files the crawler writes into the output folder, not atomically (zimit, `--zimit-progress-file` and `--statsFilename`). */
export const PROGRESS_FILE = 'progress.json'
export const STATS_FILE = 'crawl.json'
const MOST = 64 * 1024

export interface CrawlNumbers {
  /** Pages fetched. */
  done: number
  /** Pages known of. */
  total: number | null
  failed: number
  /** The crawler said that the archive holds only part of the site. */
  partial: boolean
  limitHit: boolean
}

/** 1e999 is a number of JSON, and none of pages. */
const number = v.pipe(v.number(), v.finite(), v.minValue(0))
const count = v.optional(v.fallback(number, 0), 0)
const statsSchema = v.object({
  crawled: number,
  total: count,
  failed: count,
  limit: v.optional(v.fallback(v.object({ hit: v.optional(v.unknown()) }), {}), {})
})
const progressSchema = v.object({
  done: number,
  total: count,
  partialZim: v.optional(v.unknown()),
  limit: v.optional(v.fallback(v.object({ hit: v.optional(v.unknown()) }), {}), {})
})

/**
 * Reads the present numbers from the crawler's files. A file that is missing, empty, cut off or something else is as if
 * it were not there: the crawler is writing it.
 */
export async function readCrawlNumbers(folder: string): Promise<CrawlNumbers | null> {
  const [stats, progress] = await Promise.all([
    readJson(join(folder, STATS_FILE), statsSchema),
    readJson(join(folder, PROGRESS_FILE), progressSchema)
  ])
  if (stats === null && progress === null) return null
  return {
    done: Math.round(stats?.crawled ?? progress?.done ?? 0),
    total: atLeastOne(stats?.total ?? progress?.total ?? 0),
    failed: Math.round(stats?.failed ?? 0),
    partial: progress?.partialZim === true,
    limitHit: stats?.limit.hit === true || progress?.limit.hit === true
  }
}

function atLeastOne(total: number): number | null {
  return total >= 1 ? Math.round(total) : null
}

async function readJson<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema
): Promise<v.InferOutput<Schema> | null> {
  const text = await readHead(path)
  if (text === null) return null
  const parsed = v.safeParse(schema, jsonOr(null, text))
  return parsed.success ? parsed.output : null
}

/** At most the first 64 KiB: who writes it is not trusted with our memory. */
async function readHead(path: string): Promise<string | null> {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MOST), position: 0 })
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (errorCode(error) !== '') return null
    throw error
  }
}
