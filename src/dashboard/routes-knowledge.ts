import { removeDocument, retryDocument, retryFailed, reviewBody, reviewDocument } from './api/document-orders.ts'
import { listDocuments, readDocument, readDocumentPage, readOriginal } from './api/documents.ts'
import { takeTranscript, takeWebPage, transcriptDocs, webBody } from './api/intake.ts'
import { readKnowledge } from './api/knowledge.ts'
import { documentsQuery, rawUploadQuery } from './api/query.ts'
import type { Services } from './api/services.ts'
import { tusCreate, tusDocs, tusHead, tusOptions, tusPatch, tusRemove } from './api/tus.ts'
import { listCategories, readUploadStatus, takeUpload, uploadDocs } from './api/uploads.ts'
import { del, get, noQuery, order, post, type Route, upload } from './server/route.ts'

const taking = { access: 'operator', query: rawUploadQuery, docs: uploadDocs } as const
const fetching = { access: 'operator', body: webBody } as const
const captions = { access: 'operator', query: noQuery, docs: transcriptDocs } as const
const reviewing = { access: 'operator', body: reviewBody } as const
const tusRow = (access: 'read' | 'operator', docs: keyof typeof tusDocs) =>
  ({ access, query: noQuery, docs: tusDocs[docs] }) as const

/** From an uploaded file to a document: the part of the table that is about them. */
export function knowledgeRoutes(services: Services): Route[] {
  return [
    upload('POST', '/api/upload', 'Takes a file in.', taking, takeUpload(services)),
    post('/api/ingest/url', 'Takes in a web page by its address.', fetching, takeWebPage(services)),
    upload('POST', '/api/ingest/transcript', 'Takes in captions.', captions, takeTranscript(services)),
    get('/api/upload/categories', 'Categories that were used before.', noQuery, listCategories(services)),
    get('/api/upload/:hash/status', 'What became of an uploaded file.', noQuery, readUploadStatus(services)),
    upload('OPTIONS', '/api/uploads', 'What of tus there is.', tusRow('read', 'options'), tusOptions(services)),
    upload('POST', '/api/uploads', 'Begins a resumable upload.', tusRow('operator', 'create'), tusCreate(services)),
    upload('HEAD', '/api/uploads/:id', 'Where a resumable upload is.', tusRow('operator', 'head'), tusHead(services)),
    upload('PATCH', '/api/uploads/:id', 'Goes on with an upload.', tusRow('operator', 'patch'), tusPatch(services)),
    upload('DELETE', '/api/uploads/:id', 'Ends an upload.', tusRow('operator', 'remove'), tusRemove(services)),
    get('/api/documents', 'Documents, newest first.', documentsQuery, listDocuments(services)),
    order('/api/documents/retry-failed', 'Tries every failed document again.', retryFailed(services)),
    get('/api/documents/:hash', 'One document.', noQuery, readDocument(services)),
    del('/api/documents/:hash', 'Removes a document and everything of it.', removeDocument(services)),
    get('/api/documents/:hash/pages/:n', 'A page of its text.', noQuery, readDocumentPage(services)),
    get('/api/documents/:hash/original', 'The stored file.', noQuery, readOriginal(services)),
    order('/api/documents/:hash/retry', 'Tries a document again.', retryDocument(services)),
    post('/api/documents/:hash/review', 'Decides about a document.', reviewing, reviewDocument(services)),
    get('/api/knowledge', 'Documents per state, work, failures.', noQuery, readKnowledge(services))
  ]
}
