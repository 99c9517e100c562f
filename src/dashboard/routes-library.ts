import {
  archiveDocs,
  archiveQuery,
  ingestBody,
  listLibrary,
  removeSource,
  retrySource,
  setIngest,
  takeArchive
} from './api/library.ts'
import type { Services } from './api/services.ts'
import { archiveDesk, tusCreate, tusDocs, tusHead, tusOptions, tusPatch, tusRemove } from './api/tus.ts'
import { del, get, noQuery, order, post, type Route, upload } from './server/route.ts'

const SOURCES = '/api/library/sources'
const UPLOADS = '/api/library/uploads'
const taking = { access: 'operator', query: archiveQuery, docs: archiveDocs } as const
const reading = { access: 'operator', body: ingestBody } as const
const tusRow = (access: 'read' | 'operator', docs: keyof typeof tusDocs) =>
  ({ access, query: noQuery, docs: tusDocs[docs] }) as const

/** The offline library: the part of the table that is about it (contract §9). */
export function libraryRoutes(services: Services): Route[] {
  const one = `${UPLOADS}/:id`
  return [
    get(SOURCES, 'Archives of the library, and its server.', noQuery, listLibrary(services)),
    upload('POST', SOURCES, 'Takes an archive in.', taking, takeArchive(services)),
    post(`${SOURCES}/:id/ingest`, 'Reads the articles of an archive, or pauses.', reading, setIngest(services)),
    order(`${SOURCES}/:id/retry`, 'Tries again what failed of an archive.', retrySource(services)),
    del(`${SOURCES}/:id`, 'Removes an archive and everything of it.', removeSource(services)),
    upload('OPTIONS', UPLOADS, 'What of tus there is.', tusRow('read', 'options'), tusOptions(services, archiveDesk)),
    upload('POST', UPLOADS, 'Begins an upload.', tusRow('operator', 'create'), tusCreate(services, archiveDesk)),
    upload('HEAD', one, 'Where the upload is.', tusRow('operator', 'head'), tusHead(services, archiveDesk)),
    upload('PATCH', one, 'Goes on with it.', tusRow('operator', 'patch'), tusPatch(services, archiveDesk)),
    upload('DELETE', one, 'Ends it.', tusRow('operator', 'remove'), tusRemove(services, archiveDesk))
  ]
}
