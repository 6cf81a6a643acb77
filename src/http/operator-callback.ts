/**
 * Where the operator tells us things: one address a workspace (FORMATS section 1). The bytes are
 * verified as they came, stored, and answered; the work is done elsewhere.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sameHash } from '../core/api-key.ts'
import { Refusal } from '../core/errors.ts'
import { isUuid } from '../core/ids.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Directory } from '../modules/workspaces/directory.ts'
import { asRefusal, sendRefusal } from './answer.ts'

/** One change of a webhook body, for one of our numbers. */
export type OperatorChange = { phoneNumberId: string; field: string; value: unknown }

export type CallbackOptions = {
  directory: Directory
  sealer: Sealer
  /** Whether the signature header fits the bytes, in constant time. */
  verify(rawBody: Buffer, header: string | undefined, appSecret: string): boolean
  /** The changes of a body with the operator's id of the number each concerns. */
  changesOf(body: unknown): { operatorId: string; field: string; value: unknown }[]
  /** Stores changes durably; nothing is done about them yet. */
  takeIn(workspaceId: string, changes: OperatorChange[]): Promise<void>
}

export const CALLBACK_PATH = '/api/operator'
/** The operator sends up to 1,000 updates or 3 MB at once. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

type Handshake = { 'hub.mode'?: string; 'hub.challenge'?: string; 'hub.verify_token'?: string }
type Params = { workspaceId: string }

/** The callback routes: the handshake, and the updates. */
export const operatorCallback =
  (options: CallbackOptions) =>
  (app: FastifyInstance): void => {
    const numbersOf = async (workspaceId: string) =>
      isUuid(workspaceId) ? options.directory.numbers(workspaceId) : []
    const refused = (reply: FastifyReply) =>
      sendRefusal(reply, new Refusal('forbidden', 'The signature or token does not fit.'))

    app.get<{ Params: Params; Querystring: Handshake }>(
      `${CALLBACK_PATH}/:workspaceId`,
      async (request, reply) => {
        const { 'hub.mode': mode, 'hub.challenge': challenge, 'hub.verify_token': token } = request.query
        const hash = createHash('sha256')
          .update(String(token ?? ''))
          .digest()
        const numbers = await numbersOf(request.params.workspaceId)
        if (
          mode !== 'subscribe' ||
          typeof challenge !== 'string' ||
          !numbers.some((number) => sameHash(number.verifyTokenHash, hash))
        )
          return refused(reply)
        return reply
          .type('text/plain; charset=utf-8')
          .header('x-content-type-options', 'nosniff')
          .send(challenge)
      },
    )

    app.post<{ Params: Params }>(
      `${CALLBACK_PATH}/:workspaceId`,
      { bodyLimit: BODY_LIMIT_BYTES },
      async (request, reply) => {
        try {
          const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          const header = request.headers['x-hub-signature-256']
          const numbers = await numbersOf(request.params.workspaceId)
          const signers = numbers.filter((number) =>
            options.verify(
              bytes,
              Array.isArray(header) ? header[0] : header,
              options.sealer.open(number.appSecretSealed),
            ),
          )
          if (signers.length === 0) return refused(reply)
          const changes = options
            .changesOf(JSON.parse(bytes.toString('utf8')))
            .flatMap(({ operatorId, field, value }) => {
              // What concerns the account as a whole is kept with the number that signed it.
              const number =
                operatorId === '' ? signers[0] : signers.find((one) => one.operatorId === operatorId)
              return number ? [{ phoneNumberId: number.id, field, value }] : []
            })
          if (changes.length > 0) await options.takeIn(request.params.workspaceId, changes)
          return reply.send({ ok: true })
        } catch (error) {
          if (error instanceof SyntaxError)
            return sendRefusal(reply, new Refusal('invalid_json', 'The body is not JSON.'))
          return sendRefusal(reply, asRefusal(error))
        }
      },
    )
  }
