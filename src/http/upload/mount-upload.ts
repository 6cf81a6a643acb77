import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UploadEndpoint } from '../../core/endpoint.ts'
import { executor } from '../endpoint/execute.ts'
import type { Answer } from '../endpoint/reply-texts.ts'
import { addressOf, asBodyRefusal, writeKeyOf } from '../endpoint/request-parts.ts'
import { sendAnswer } from '../endpoint/send-answer.ts'
import type { ServerOptions } from '../endpoint/server-options.ts'
import { beforeBody } from '../endpoint/steps.ts'
import type { Caller } from '../wire/caller.ts'
import { drainBody } from '../wire/drain-body.ts'
import { routeOf } from '../wire/routes.ts'
import { admitUpload, callerDisconnected, disconnectRefusal, readUpload } from './upload.ts'

/**
 * Admits the upload, writes the file to disk, and runs the endpoint. Always deletes the file and frees the
 * place afterwards.
 */
function uploadRunner(value: UploadEndpoint, options: ServerOptions) {
  const run = executor(value, options)
  return async (request: FastifyRequest): Promise<Answer> => {
    const address = addressOf(value, request)
    const key = writeKeyOf(value, request)
    const leave = await admitUpload(value.upload, request, options)
    try {
      const { body, file, fingerprint } = await readUpload(value, request, {
        spool: options.outside.spool,
        key,
      })
      try {
        return await run({
          caller: request.caller as Caller,
          input: { ...address, body: body as never, file: file as never },
          idempotency: key === undefined ? undefined : { key, fingerprint },
        })
      } finally {
        await file.close()
      }
    } catch (error) {
      if (callerDisconnected(request)) throw disconnectRefusal()
      throw asBodyRefusal(error)
    } finally {
      await leave()
    }
  }
}

/** Mounts an endpoint that streams its body. It has its own scope, because body parsers belong to scopes. */
export function mountUpload(app: FastifyInstance, value: UploadEndpoint, options: ServerOptions): void {
  const run = uploadRunner(value, options)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    for (const type of ['application/json', 'multipart/form-data'])
      scope.addContentTypeParser(type, (_request, payload, done) => done(null, payload))
    scope.route({
      method: value.method,
      url: routeOf(value),
      onRequest: beforeBody(value, options),
      handler: async (request, reply) => {
        const answer = await options.hold(() => run(request)).finally(() => drainBody(request))
        return sendAnswer(request, reply, answer)
      },
    })
  })
}
