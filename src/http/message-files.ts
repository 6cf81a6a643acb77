/**
 * GET /api/dashboard/files/ID?workspace=ID: the file of a message for a page that shows it, by the session's cookie alone
 * (docs/decisions/dashboard-pages.md "Files").
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Workspace } from '../core/context.ts'
import { noteRefusal, sendRefusal } from './answer.ts'
import { type FileDownloadOptions, type ServedFile, serveFile } from './file-downloads.ts'
import { DASHBOARD_PATH } from './routes.ts'

export type MessageFileOptions = Pick<FileDownloadOptions, 'disposition' | 'open' | 'onError'> & {
  admit(request: FastifyRequest, reply: FastifyReply): Promise<{ workspace: Workspace }>
  /** The file of a message; refuses where there is none. */
  find(workspace: Workspace, messageId: string): Promise<ServedFile & { filename: string }>
}

const HEADERS = {
  'accept-ranges': 'bytes',
  // What is kept is asked after each time: who signed out, or left, is shown nothing more.
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
          const file = await options.find(workspace, request.params.id)
          const disposition = options.disposition(file.filename, file.contentType)
          const serving = { open: options.open, headers: HEADERS }
          return await serveFile(serving, request, reply, { ...file, disposition })
        } catch (error) {
          const refusal = noteRefusal(request, error, options.onError)
          return sendRefusal(reply.header('cache-control', 'no-store'), refusal)
        }
      },
    })
  }
