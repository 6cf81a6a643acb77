/**
 * GET /api/dashboard/files/ID?workspace=ID: serves the file of a message to a page, authenticated by the
 * session cookie (docs/decisions/dashboard-pages.md "Files").
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
  /** Returns the file of a message; refuses a message without a file. */
  find(workspace: Workspace, messageId: string): Promise<ServedFile & { filename: string }>
  /** Requests the file of a message of the photo network, which Parley doesn't store; undefined without one. */
  passOn(
    workspace: Workspace,
    messageId: string,
  ): Promise<{ contentType: string; body: Readable } | undefined>
}

/** Nothing keeps a file that is passed on. */
const PASSED_ON = {
  'cache-control': 'private, no-store',
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
}

const HEADERS = {
  'accept-ranges': 'bytes',
  // Browsers revalidate each time, so a cached file isn't shown after the member signs out or leaves.
  'cache-control': 'private, no-cache',
  'cross-origin-resource-policy': 'same-origin',
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
            const passed = isMissing ? await options.passOn(workspace, request.params.id) : undefined
            if (!passed) throw error
            return passed
          })
          if ('body' in file) {
            const { contentType, body } = file
            if (request.method === 'HEAD') body.destroy()
            reply.headers(PASSED_ON).type(contentType)
            return request.method === 'HEAD' ? reply.send() : reply.send(body)
          }
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
