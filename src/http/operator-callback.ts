/**
 * Where the operator tells us things: one address a workspace (docs/formats.md section 1). The bytes are
 * verified as they came, stored, and answered; the work is done elsewhere.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sameHash } from '../core/api-key.ts'
import { Refusal } from '../core/errors.ts'
import { isUuid } from '../core/ids.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Directory } from '../modules/workspaces/directory.ts'
import type { NumberRecord } from '../modules/workspaces/operations/workspaces.ts'
import { asRefusal, sendRefusal } from './answer.ts'

export type CallbackOptions = {
  directory: Directory
  sealer: Sealer
  /** Whether the signature header fits the bytes, in constant time. */
  verify(rawBody: Buffer, header: string | undefined, appSecret: string): boolean
  /**
   * Stores what a body says to the numbers that signed it durably; nothing is done about it yet. Throws SyntaxError for
   * what is not JSON.
   */
  takeIn(workspaceId: string, bytes: Buffer, signers: NumberRecord[]): Promise<void>
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
    /** The numbers whose secret signed the bytes. Numbers of one app share theirs: it is tried once. */
    const signersOf = (numbers: NumberRecord[], bytes: Buffer, header: string | undefined) => {
      const tried = new Map<string, boolean>()
      return numbers.filter((number) => {
        const secret = options.sealer.open(number.appSecretSealed)
        const fits = tried.get(secret) ?? options.verify(bytes, header, secret)
        tried.set(secret, fits)
        return fits
      })
    }
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
        return reply.type('text/plain; charset=utf-8').send(challenge)
      },
    )

    app.post<{ Params: Params }>(
      `${CALLBACK_PATH}/:workspaceId`,
      { bodyLimit: BODY_LIMIT_BYTES },
      async (request, reply) => {
        try {
          const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          const header = request.headers['x-hub-signature-256']
          const signers = signersOf(
            await numbersOf(request.params.workspaceId),
            bytes,
            Array.isArray(header) ? header[0] : header,
          )
          if (signers.length === 0) return refused(reply)
          await options.takeIn(request.params.workspaceId, bytes, signers)
          return reply.send({ ok: true })
        } catch (error) {
          if (error instanceof SyntaxError)
            return sendRefusal(reply, new Refusal('invalid_json', 'The body is not JSON.'))
          return sendRefusal(reply, asRefusal(error))
        }
      },
    )
  }
