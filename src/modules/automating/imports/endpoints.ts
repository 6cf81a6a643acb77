import { z } from 'zod'
import { endpoint, outsideEndpoint, reply, replyInPieces, uploadEndpoint } from '../../../core/endpoint.ts'
import { takeUploadPlace } from '../../messaging/media/operations/upload-places.ts'
import { previewImport } from './operations/preview-import.ts'
import { exportRefused, getImport, listImports, showImport } from './operations/read-imports.ts'
import { deleteImportById, startImport } from './operations/start-import.ts'
import { uploadImport } from './operations/upload-import.ts'
import { Import, NewImport, Preview, PreviewRequest, StartImport } from './schema.ts'

const MIB = 1024 * 1024
const MAX_FILE_BYTES = 16 * MIB
/** A third larger than the file, plus room for clients that escape slashes or break lines. */
const MAX_BODY_BYTES = 24 * MIB

const OneImport = z.object({ import: Import })
const shared = { auth: 'session', tag: 'Dashboard', section: '1', scope: null, role: 'agent' } as const
const common = { ...shared, subject: 'import', refuses: ['not_found'] } as const

export const postImport = uploadEndpoint({
  ...shared,
  name: 'uploadImport',
  method: 'POST',
  path: '/imports',
  summary: 'Upload a CSV or vCard file of contacts or leads. No row is imported yet.',
  bucket: 'bulk-writes',
  bodyLimit: MAX_BODY_BYTES,
  body: NewImport,
  example: {
    filename: 'people.csv',
    fileBase64: Buffer.from('Phone,Name\n+919812345678,Asha Rao\n').toString('base64'),
  },
  replies: { 201: OneImport },
  refuses: ['uploads_in_progress'],
  upload: { field: 'fileBase64', maxBytes: MAX_FILE_BYTES, admit: takeUploadPlace },
  handle: (request, { body, file }) =>
    request.answering(
      (importBody: z.input<typeof Import>) => reply(201, { import: importBody }),
      (ctx) => uploadImport(ctx, body, file),
    ),
})

export const getImports = endpoint({
  ...shared,
  name: 'listImports',
  method: 'GET',
  path: '/imports',
  summary: 'List the imports of the last seven days, newest first.',
  bucket: 'reads',
  replies: { 200: z.object({ imports: z.array(Import.omit({ sample: true, guess: true })) }) },
  refuses: [],
  handle: async (ctx) => reply(200, { imports: await listImports(ctx) }),
})

export const getOneImport = endpoint({
  ...common,
  refuses: ['not_found'],
  name: 'getImport',
  method: 'GET',
  path: '/imports/:id',
  summary: 'Get the progress and the columns of an import.',
  bucket: 'reads',
  replies: { 200: OneImport },
  handle: async (ctx, { params }) =>
    reply(200, { import: await showImport(ctx, await getImport(ctx, params.id)) }),
})

export const patchImport = endpoint({
  ...common,
  refuses: ['not_found', 'conflict'],
  name: 'startImport',
  method: 'PATCH',
  path: '/imports/:id',
  summary: 'Map the columns of an import, and check or import its rows in the background.',
  bucket: 'bulk-writes',
  body: StartImport,
  example: { kind: 'contacts', mapping: { Phone: 'phone', Name: 'displayName' }, dryRun: true },
  replies: { 200: OneImport },
  handle: async (ctx, { params, body }) =>
    reply(200, { import: await showImport(ctx, await startImport(ctx, params.id, body)) }),
})

export const postImportPreview = endpoint({
  ...common,
  refuses: ['not_found'],
  name: 'previewImport',
  method: 'POST',
  path: '/imports/:id/preview',
  summary: 'Preview the first rows of an import with these choices. Nothing is stored.',
  bucket: 'reads',
  body: PreviewRequest,
  example: { kind: 'contacts', mapping: { Phone: 'phone', Name: 'displayName' } },
  replies: { 200: z.object({ preview: Preview }) },
  handle: async (ctx, { params, body }) =>
    reply(200, { preview: await previewImport(ctx, await getImport(ctx, params.id), body) }),
})

export const deleteOneImport = endpoint({
  ...common,
  refuses: ['not_found'],
  name: 'deleteImport',
  method: 'DELETE',
  path: '/imports/:id',
  summary: 'Delete an import. A running import stops, and its imported rows are kept.',
  bucket: 'bulk-writes',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  handle: async (ctx, { params }) => {
    await deleteImportById(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const getRefusedRows = outsideEndpoint({
  ...common,
  refuses: ['not_found'],
  name: 'listRefusedRows',
  method: 'GET',
  path: '/imports/:id/refused',
  summary: 'Get the rejected rows of an import with their reasons, as CSV.',
  bucket: 'reads',
  replies: { 200: z.string() },
  alsoAs: { 'text/csv': '`Line,Reason` and then the columns of the file.' },
  handle: async ({ transaction }, { params }) => replyInPieces(await exportRefused(transaction, params.id)),
})
