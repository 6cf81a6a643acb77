/**
 * Receives reports of shops at `/in/{token}` (src/modules/automating/integrations/DECISIONS.md). Callers have
 * no key, so a body is read only after its address and headers were checked, within a shared memory budget,
 * then verified as raw bytes, stored, and answered. Background work applies it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { recordRefusal, sendRefusal } from '../wire/answer.ts'
import { drainBody } from '../wire/drain-body.ts'
import { keptAsMoving } from './keep-moving.ts'
import type { CallbackGuard } from './signed-callback.ts'

type Headers = FastifyRequest['headers']

/** The integration of an address, as far as incoming requests need it. */
export type ShopIntake<Shop extends { workspaceId: string }> = {
  /** Returns the shop of an address; undefined for an unknown address. */
  find(token: string): Promise<Shop | undefined>
  /** Returns whether the address was found before, so it can't be a guess. */
  remembers(token: string): boolean
  /** Returns whether this kind of shop sends requests with these headers. */
  mayCome(shop: Shop, headers: Headers): boolean
  /** Returns whether the shop's signature matches exactly these bytes. */
  isSigned(shop: Shop, headers: Headers, bytes: Buffer): boolean
  /** Returns whether this is an unsigned test request without content. */
  isPing(shop: Shop, headers: Headers, bytes: Buffer): boolean
  /** Stores the report durably, without applying it. Refuses an unreadable one. */
  receive(shop: Shop, headers: Headers, bytes: Buffer): Promise<void>
}

const PATH = '/in'
const BODY_LIMIT_BYTES = 1024 * 1024
const TOKEN = /^[A-Za-z0-9_-]{22}$/

export const shopIntakeUrl = (siteUrl: string, token: string): string => `${siteUrl}${PATH}/${token}`

/** Returns a 401, which senders expect for a wrong signature; too many of them are `rate_limited`. */
function refusalOf({ refused }: CallbackGuard, request: FastifyRequest): Refusal {
  const refusal = refused.refusal(request)
  return refusal.code === 'forbidden'
    ? new Refusal(
        'unauthorized',
        "The address or the signature is wrong. Check the address and the secret in the shop's webhook settings.",
      )
    : refusal
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The shop whose address received the report. */
    shop: unknown
  }
}

/** Registers the route. */
export const shopIntakeRoute =
  <Shop extends { workspaceId: string }>(guard: CallbackGuard, intake: ShopIntake<Shop>) =>
  (app: FastifyInstance): void => {
    const answerRefusal = async (
      request: FastifyRequest,
      reply: FastifyReply,
      error: unknown,
    ): Promise<FastifyReply> => {
      const refusal = recordRefusal(request, error, guard.onError)
      await drainBody(request)
      return sendRefusal(reply, refusal)
    }
    const enter = async (request: FastifyRequest<{ Params: { token: string } }>): Promise<void> => {
      const { token } = request.params
      if (!TOKEN.test(token)) throw refusalOf(guard, request)
      if (!intake.remembers(token)) guard.refused.check(request)
      const shop = await intake.find(token)
      if (shop === undefined || !intake.mayCome(shop, request.headers)) throw refusalOf(guard, request)
      request.shop = shop
    }
    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const shop = request.shop as Shop
      const { headers } = request
      try {
        const bytes = await guard.budget.collect(request.raw, reply.raw, BODY_LIMIT_BYTES)
        if (!intake.isSigned(shop, headers, bytes)) {
          if (intake.isPing(shop, headers, bytes)) return reply.send({ ok: true })
          throw refusalOf(guard, request)
        }
        await intake.receive(shop, headers, bytes).catch(async (error: unknown) => {
          const { workspaceId } = shop
          if (!(await keptAsMoving(guard.moving, request, { error, workspaceId, body: bytes }))) throw error
        })
        return reply.send({ ok: true })
      } catch (error) {
        return answerRefusal(request, reply, error)
      }
    }
    void app.register(async (scope) => {
      scope.decorateRequest('shop', null)
      scope.removeAllContentTypeParsers()
      // `handle` collects the body within the memory budget. The declared type doesn't matter, only the
      // signature.
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      scope.post<{ Params: { token: string } }>(`${PATH}/:token`, { onRequest: enter }, handle)
    })
  }
