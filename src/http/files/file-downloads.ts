/**
 * Serves files by signed links, outside the API: anyone with the link can read the file until the link
 * expires (spec 4.3).
 */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type Clock, workspaceTime } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import type { Directory } from '../../modules/platform/workspaces/directory.ts'
import type { FileTokens } from '../auth/file-tokens.ts'
import { recordRefusal, sendRefusal } from '../wire/answer.ts'
import { rangeOf } from '../wire/byte-range.ts'
import { isKnown } from '../wire/entity-tag.ts'

const FILES_PATH = '/media'

/** A stored file. */
export type ServedFile = {
  key: string
  contentType: string
  sizeBytes: number
  /** Hexadecimal. */
  sha256: string
}

export type FileDownloadOptions = {
  tokens: FileTokens
  directory: Directory
  clock: Clock
  find(workspaceId: string, mediaId: string): Promise<ServedFile | undefined>
  /** Returns the header with the file's name, which also says whether a browser may show the file. */
  disposition(filename: string, contentType: string): string
  open(key: string, range: { start: number; end: number } | undefined): Promise<Readable | undefined>
  onError(error: unknown): void
}

const HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, no-store',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
}
/** Files that browsers don't display may load and run nothing. */
const ATTACHED = { 'content-security-policy': "default-src 'none'; sandbox" }

const fileNotFound = (): Refusal => new Refusal('not_found', 'File not found.')

/** Returns the path of a link: the token and the file name that was signed with it. */
export const filePath = (token: string, filename: string): string =>
  `${FILES_PATH}/${token}/${encodeURIComponent(filename)}`

/** Registers the route of the links, for GET and HEAD. */
export const fileDownloads =
  (options: FileDownloadOptions, limited: onRequestAsyncHookHandler) =>
  (app: FastifyInstance): void => {
    app.route<{ Params: { token: string; '*': string } }>({
      method: ['GET', 'HEAD'],
      url: `${FILES_PATH}/:token/*`,
      onRequest: limited,
      handler: async (request, reply) => {
        try {
          const { token, '*': filename } = request.params
          const file = await fileOf(options, token, filename)
          const disposition = options.disposition(filename, file.contentType)
          const served = { ...file, disposition }
          return await serveFile({ open: options.open, headers: HEADERS }, request, reply, served)
        } catch (error) {
          const refusal = recordRefusal(request, error, options.onError)
          return sendRefusal(reply.header('cache-control', 'no-store'), refusal)
        }
      },
    })
  }

async function fileOf(options: FileDownloadOptions, token: string, filename: string): Promise<ServedFile> {
  const link = options.tokens.read(token, filename)
  const workspace = link && (await options.directory.workspace(link.workspaceId))
  if (!workspace)
    throw new Refusal(
      'forbidden',
      "This download link isn't valid. Get a new one with GET /messages/{id}/media.",
    )
  if (link.expiresAt <= workspaceTime(options.clock, workspace))
    throw new Refusal(
      'forbidden',
      'This download link has expired. Get a new one with GET /messages/{id}/media.',
    )
  const file = await options.find(workspace.id, link.mediaId)
  if (!file) throw fileNotFound()
  return file
}

/** Answers with a file, or with the requested part. */
export async function serveFile(
  options: Pick<FileDownloadOptions, 'open'> & { headers: Record<string, string> },
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile & { disposition: string },
): Promise<FastifyReply> {
  const tag = `"${file.sha256}"`
  // The holder of the link may show the file in a frame on their own page.
  reply.removeHeader('x-frame-options')
  const inline = file.disposition.startsWith('inline')
  reply.headers({
    ...options.headers,
    ...(inline ? {} : ATTACHED),
    etag: tag,
    'content-disposition': file.disposition,
  })
  if (isKnown(request, tag)) return reply.code(304).send()
  const condition = request.headers['if-range']
  // Ranges apply only to GET (RFC 9110 section 14.2).
  const hasParts = request.method === 'GET' && (condition === undefined || condition === tag)
  const range = hasParts ? rangeOf(request.headers.range, file.sizeBytes) : undefined
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${file.sizeBytes}`).send()
  reply.header('content-length', range ? range.end - range.start + 1 : file.sizeBytes)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`)
  reply.header('content-type', file.contentType)
  if (request.method === 'HEAD') return reply.send()
  const bytes = await options.open(file.key, range)
  if (!bytes) {
    for (const name of ['content-length', 'content-range', 'content-disposition', 'etag'])
      reply.removeHeader(name)
    throw fileNotFound()
  }
  return reply.send(bytes)
}
