import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import { notFound } from '../server/problem.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { type ServedFile, sendFile, servedFile } from '../server/send-file.ts'
import { mapsAnswer } from './answers/station.ts'
import type { Services } from './services.ts'

/** No folder, no hidden file, nothing that could be anything but a file name. */
const MAP_FILE = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,120}\.pmtiles$/u

/** `GET /api/maps`: base maps in the data folder `maps/`, by name. */
function listMaps({ context }: Services): Handler<unknown, undefined, Told<typeof mapsAnswer>> {
  return async () => {
    const names = (await namesIn(context.mapsFolder)).filter((name) => MAP_FILE.test(name)).sort()
    const maps = await Promise.all(names.map(async (file) => ({ file, found: await find(context.mapsFolder, file) })))
    return json({
      maps: maps.flatMap(({ file, found }) =>
        found === null ? [] : [{ file, size: found.size, url: `/maps/${encodeURIComponent(file)}` }]
      )
    })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw new AppError('unavailable', because('maps_unreadable', { said: errorCode(error) }), { cause: error })
  }
}

function find(folder: string, file: string): Promise<ServedFile | null> {
  return MAP_FILE.test(file) ? servedFile(join(folder, file)) : Promise.resolve(null)
}

/** `GET /maps/:file`: a base map, or the bytes of it that are asked for. */
function readMap({ context }: Services): Handler<unknown, undefined> {
  return async ({ params, headers }) => {
    const found = await find(context.mapsFolder, params['file'] ?? '')
    if (found === null) throw notFound()
    return sendFile(found, headers)
  }
}

export const mapsRoutes = (services: Services): Route[] => [
  get('/api/maps', {
    summary: 'Base maps.',
    about: '`{maps: [{file, size, url}]}`: the PMTiles files of the data folder `maps/`.',
    answer: mapsAnswer,
    handle: listMaps(services)
  }),
  get('/maps/:file', {
    about: 'A PMTiles file of the data folder `maps/`, whole or in ranges of bytes.',
    handle: readMap(services)
  })
]
