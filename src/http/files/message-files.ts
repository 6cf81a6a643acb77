/**
 * GET /api/dashboard/files/ID?workspace=ID: serves the file of a message, of a post, or of a template to a page, authenticated by
 * the session cookie (docs/decisions/dashboard-pages.md "Files").
 */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Workspace } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import { recordRefusal, sendRefusal } from '../wire/answer.ts'
import { DASHBOARD_PATH } from '../wire/routes.ts'
import { type FileDownloadOptions, type ServedFile, serveFile } from './file-downloads.ts'

export type MessageFileOptions = Pick<FileDownloadOptions, 'disposition' | 'open' | 'onError'> & {
  admit(request: FastifyRequest, reply: FastifyReply): Promise<{ workspace: Workspace }>
  /** Returns the stored file of a message, of a post, or of a template's sample; refuses other ids, and messages without a file. */
  find(workspace: Workspace, id: string): Promise<ServedFile & { filename: string }>
  /**
   * Requests the file of a message or of a post of the photo network, which Parley doesn't store; undefined without one.
   * `isPublic`: anyone can see it on the network. `range`: the header of a request for a part of it.
   */
  passOn(workspace: Workspace, id: string, range: string | undefined): Promise<PassedFile | undefined>
}

type PassedFile = {
  contentType: string
  contentLength: string | undefined
  contentRange: string | undefined
  body: Readable
  isPublic?: boolean
}

/** Nothing keeps a file that is passed on. */
const PASSED_ON = {
  'cache-control': 'private, no-store',
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Browsers keep the picture of a public post for an hour, so that lists of posts don't request it again. */
const KEPT = { 'cache-control': 'private, max-age=3600' }

const HEADERS = {
  'accept-ranges': 'bytes',
  // Browsers revalidate each time, so a cached file isn't shown after the member signs out or leaves.
  'cache-control': 'private, no-cache',
  'cross-origin-resource-policy': 'same-origin',
}

/** Passes a file on, or the part of it that the other server sent: players of videos request parts. */
function sendPassed(request: FastifyRequest, reply: FastifyReply, file: PassedFile): FastifyReply {
  const { contentType, contentLength, contentRange, body, isPublic } = file
  reply.headers({ ...PASSED_ON, ...(isPublic ? KEPT : {}) }).type(contentType)
  if (contentLength !== undefined) reply.header('content-length', contentLength)
  if (contentRange !== undefined) reply.code(206).header('content-range', contentRange)
  if (request.method !== 'HEAD') return reply.send(body)
  body.destroy()
  return reply.send()
}

export const messageFiles =
  (options: MessageFileOptions) =>
  (app: FastifyInstance): void => {
    app.route<{ Params: { id: string } }>({
      method: ['GET', 'HEAD'],
      url: `${DASHBOARD_PATH}/files/:id`,
      handler: async (request, reply) => {
        try {
          const { workspace } = await options.admit(request, reply)
          const file = await options.find(workspace, request.params.id).catch(async (error: unknown) => {
            const isMissing = error instanceof Refusal && error.code === 'not_found'
            const passed = isMissing
              ? await options.passOn(workspace, request.params.id, request.headers.range)
              : undefined
            if (!passed) throw error
            return passed
          })
          if ('body' in file) return sendPassed(request, reply, file)
          const disposition = options.disposition(file.filename, file.contentType)
          const serving = { open: options.open, headers: HEADERS }
          return await serveFile(serving, request, reply, { ...file, disposition })
        } catch (error) {
          const refusal = recordRefusal(request, error, options.onError)
          return sendRefusal(reply.header('cache-control', 'no-store'), refusal)
        }
      },
    })
  }
