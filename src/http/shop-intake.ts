/**
 * Where shops report to: one address for each integration, `/in/{token}` (docs/decisions/integrations.md). Callers have no key:
 * nothing of a body is read before its address is known and its head is one that such a shop sends; bodies share one budget of
 * memory. The bytes are verified as they came, stored, and answered; the work is done elsewhere.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { noteRefusal, sendRefusal } from './answer.ts'
import type { CallbackGuard } from './callbacks/signed-callback.ts'
import { hearOut } from './hear-out.ts'

type Headers = FastifyRequest['headers']

/** Whoever an address belongs to, as far as a request from outside is concerned. */
export type ShopIntake<Shop> = {
  /** Undefined: nobody has this address. */
  find(token: string): Promise<Shop | undefined>
  /** Whether it was found before, so that its address is no guess. */
  remembers(token: string): boolean
  /** Whether such a shop sends requests with such a head. */
  mayCome(shop: Shop, headers: Headers): boolean
  /** Whether exactly these bytes are the shop's. */
  isSigned(shop: Shop, headers: Headers, bytes: Buffer): boolean
  /** A test that says nothing and is not signed. */
  isPing(shop: Shop, headers: Headers, bytes: Buffer): boolean
  /** Stores durably what the shop says; nothing is done about it yet. Refuses what it cannot read. */
  receive(shop: Shop, headers: Headers, bytes: Buffer): Promise<void>
}

const PATH = '/in'
const BODY_LIMIT_BYTES = 1024 * 1024
const TOKEN = /^[A-Za-z0-9_-]{22}$/

export const shopIntakeUrl = (siteUrl: string, token: string): string => `${siteUrl}${PATH}/${token}`

/** 401, as senders expect of a wrong signature; too many of them are `rate_limited`. */
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
    /** Of a shop's report: whose address it came to. */
    shop: unknown
  }
}

/** The route. */
export const shopIntakeRoute =
  <Shop>(guard: CallbackGuard, intake: ShopIntake<Shop>) =>
  (app: FastifyInstance): void => {
    const answerRefusal = async (
      request: FastifyRequest,
      reply: FastifyReply,
      error: unknown,
    ): Promise<FastifyReply> => {
      const refusal = noteRefusal(request, error, guard.onError)
      await hearOut(request)
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
        await intake.receive(shop, headers, bytes)
        return reply.send({ ok: true })
      } catch (error) {
        return answerRefusal(request, reply, error)
      }
    }
    void app.register(async (scope) => {
      scope.decorateRequest('shop', null)
      scope.removeAllContentTypeParsers()
      // Collected by `handle`, within the budget. What counts is what is signed, whatever type it is said to be of.
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      scope.post<{ Params: { token: string } }>(`${PATH}/:token`, { onRequest: enter }, handle)
    })
  }
