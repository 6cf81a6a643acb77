import { z } from 'zod'
import { endpoint, outsideEndpoint, reply, replyInPieces, uploadEndpoint } from '../../../core/endpoint.ts'
import { takeUploadPlace } from '../../messaging/media/operations/upload-places.ts'
import { NewChatwootImport } from './chatwoot-schema.ts'
import { cancelHistoryImport, startHistoryImport } from './operations/change-import.ts'
import {
  exportLeftOut,
  getHistoryImport,
  listHistoryImports,
  presentHistoryImport,
} from './operations/read-imports.ts'
import { startChatwootImport } from './operations/start-chatwoot.ts'
import { uploadHistoryFile } from './operations/upload-file.ts'
import { HistoryImport, NewFileImport } from './schema.ts'

const MIB = 1024 * 1024
const MAX_FILE_BYTES = 64 * MIB
/** A third larger than the file, plus room for clients that escape slashes or break lines. */
const MAX_BODY_BYTES = 92 * MIB

const OneImport = z.object({ import: HistoryImport })
const shared = { auth: 'session', tag: 'Dashboard', section: '1', scope: null, role: 'admin' } as const
const common = { ...shared, subject: 'historyImport', refuses: ['not_found'] } as const

export const postHistoryFile = uploadEndpoint({
  ...shared,
  name: 'importHistoryFile',
  method: 'POST',
  path: '/history-imports/files',
  summary: 'Upload an exported chat or a file of past messages, and import it in the background.',
  bucket: 'bulk-writes',
  bodyLimit: MAX_BODY_BYTES,
  body: NewFileImport,
  example: {
    source: 'history_file',
    filename: 'messages.csv',
    fileBase64: Buffer.from(
      'phone,direction,createdAt,text\n+919812345678,inbound,2024-05-01T10:00:00Z,Hello\n',
    ).toString('base64'),
  },
  replies: { 201: OneImport },
  refuses: ['uploads_in_progress', 'conflict', 'invalid_reference', 'sending_blocked'],
  upload: { field: 'fileBase64', maxBytes: MAX_FILE_BYTES, admit: takeUploadPlace },
  handle: (request, { body, file }) =>
    request.answering(
      (importBody: z.input<typeof HistoryImport>) => reply(201, { import: importBody }),
      (ctx) => uploadHistoryFile(ctx, body, file),
    ),
})

export const postChatwootImport = outsideEndpoint({
  ...shared,
  name: 'importChatwoot',
  method: 'POST',
  path: '/history-imports/chatwoot',
  summary: 'Import contacts, chats, notes, and saved replies from Chatwoot in the background.',
  bucket: 'bulk-writes',
  body: NewChatwootImport,
  example: { url: 'https://app.chatwoot.com', accountId: 1, token: 'Zq1tK6uYhT5vW8xB3nM9pL2s', dryRun: true },
  replies: { 201: OneImport },
  refuses: ['conflict', 'invalid_reference', 'sending_blocked'],
  handle: (request, { body }) =>
    request.answering(
      (importBody: z.input<typeof HistoryImport>) => reply(201, { import: importBody }),
      (ctx) => startChatwootImport(ctx, body),
    ),
})

export const getHistoryImports = endpoint({
  ...shared,
  name: 'listHistoryImports',
  method: 'GET',
  path: '/history-imports',
  summary: 'List the imports of past messages of the last 30 days, newest first.',
  bucket: 'reads',
  replies: { 200: z.object({ imports: z.array(HistoryImport) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { imports: await listHistoryImports(ctx) }),
})

export const getOneHistoryImport = endpoint({
  ...common,
  refuses: ['not_found'],
  name: 'getHistoryImport',
  method: 'GET',
  path: '/history-imports/:id',
  summary: 'Get the progress and the report of an import of past messages.',
  bucket: 'reads',
  replies: { 200: OneImport },
  handle: async (ctx, { params }) =>
    reply(200, { import: presentHistoryImport(await getHistoryImport(ctx, params.id)) }),
})

export const postHistoryStart = endpoint({
  ...common,
  refuses: ['not_found', 'conflict'],
  name: 'startHistoryImport',
  method: 'POST',
  path: '/history-imports/:id/start',
  summary: 'Start an import of past messages after its dry run, or continue it after it failed.',
  bucket: 'bulk-writes',
  replies: { 200: OneImport },
  handle: async (ctx, { params }) =>
    reply(200, { import: presentHistoryImport(await startHistoryImport(ctx, params.id)) }),
})

export const postHistoryCancel = endpoint({
  ...common,
  refuses: ['not_found', 'conflict'],
  name: 'cancelHistoryImport',
  method: 'POST',
  path: '/history-imports/:id/cancel',
  summary: 'Cancel an import of past messages. Imported messages stay.',
  bucket: 'bulk-writes',
  replies: { 200: OneImport },
  handle: async (ctx, { params }) =>
    reply(200, { import: presentHistoryImport(await cancelHistoryImport(ctx, params.id)) }),
})

export const getLeftOut = outsideEndpoint({
  ...common,
  refuses: ['not_found'],
  name: 'listLeftOutHistory',
  method: 'GET',
  path: '/history-imports/:id/left-out',
  summary: 'Get the records that an import left out with their causes, as CSV; at most 10,000.',
  bucket: 'reads',
  replies: { 200: z.string() },
  alsoAs: { 'text/csv': '`Kind,Place,Cause`' },
  handle: async ({ transaction }, { params }) => replyInPieces(await exportLeftOut(transaction, params.id)),
})
