/**
 * A standalone simulated gateway: its API under `/gateway/v1`, its control calls under `/gateway/_simulator`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { type Clock, systemClock } from '../../core/clock.ts'
import { sameSecret } from '../../core/values/api-key.ts'
import type { GatewaySettings } from './call.ts'
import { createGatewayHandler, readBody } from './handler.ts'
import { linkIdOf } from './ids.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'
import { makeOrder, payLink, payOrder } from './paying.ts'
import type { Entity, SimulatedAccount } from './store.ts'
import { createWebhookPoster, inOrder, type WebhookDisorder } from './webhook-poster.ts'

const PREFIX = '/gateway'

const Paying = z.strictObject({
  /** The gateway's id of a link, or its reference. */
  link: z.string().optional(),
  reference: z.string().optional(),
  paise: z.int().min(1).optional(),
  method: z.enum(['upi', 'card', 'netbanking', 'wallet']).optional(),
  fail: z.boolean().optional(),
})
const Fault = z.strictObject({
  call: z.string().default('*'),
  kind: z.enum(['no-answer', 'refuse']),
  times: z.int().min(1).default(1),
})
const Settings = z
  .strictObject({
    callbackUrl: z.url({ protocol: /^https?$/ }).nullable(),
    shuffle: z.boolean(),
    duplicate: z.number().min(0).max(1),
    drop: z.array(z.string()),
    hold: z.boolean(),
    uniqueReferences: z.boolean(),
  })
  .partial()
export type GatewaySettingsPatch = z.infer<typeof Settings>

export type StandaloneGateway = {
  account: SimulatedAccount
  store: MemoryStore
  set(patch: GatewaySettingsPatch): void
  /** Pays a link as a customer; undefined if the link does not exist. */
  pay(paying: z.infer<typeof Paying>): Promise<Entity | undefined>
  /** Pays, as a customer, an order that the operator creates for a payment in the chat. */
  payInChat(
    order: { receipt: string; amount: number; notes: Record<string, string> },
    paying: { paise?: number; method?: string; fail?: boolean },
  ): Promise<{ order: Entity; payment: Entity }>
  /** Returns how many webhooks were answered 2xx, were given up, and are waiting. */
  webhooks(): { posted: number; givenUp: number; waiting: number }
  handles(req: IncomingMessage): boolean
  handle(req: IncomingMessage, res: ServerResponse): void
  close(): void
}

type Control = (gateway: StandaloneGateway, body: unknown, state: () => object) => unknown

/** The control calls, by method and path. To add a call, add a row. */
const controls: Record<string, Control> = {
  'GET /state': (_gateway, _body, state) => state(),
  'POST /reset': ({ store, set }) => {
    store.clear()
    set(calm)
  },
  'POST /settings': ({ set }, body) => set(Settings.parse(body)),
  'POST /faults': ({ store }, body) => {
    store.faults.push(Fault.parse(body))
  },
  'POST /payments': async (gateway, body) => {
    const payment = await gateway.pay(Paying.parse(body))
    if (!payment) throw new NoLink('There is no such link.')
    return payment
  },
  'GET /links': async ({ store, account }) => ({ links: await store.list(account, 'payment_link') }),
}

class NoLink extends Error {}

const calm = { ...inOrder, uniqueReferences: true }

/** Opens the gateway; the server passes requests for which `handles` is true to `handle`. */
export function openStandaloneGateway(options: {
  account: SimulatedAccount
  settings?: GatewaySettingsPatch
  clock?: Clock
  random?: () => number
  log?: (message: string, error?: unknown) => void
}): StandaloneGateway {
  const { account, clock = systemClock, random, log } = options
  let current: WebhookDisorder & Pick<GatewaySettings, 'uniqueReferences'> = { ...calm, ...options.settings }
  const poster = createWebhookPoster({
    webhookSecret: account.webhookSecret,
    disorder: () => current,
    random,
    log,
  })
  const store = createMemoryStore({ account, clock, poster })
  const play = createGatewayHandler({
    store,
    settings: () => ({ uniqueReferences: current.uniqueReferences, payPage: 'https://pay.example/i' }),
    prefix: `${PREFIX}/v1`,
    log,
  })
  const state = () => ({
    settings: current,
    faults: store.faults,
    calls: Object.fromEntries(store.calls),
    webhooks: poster.counts(),
  })
  const gateway: StandaloneGateway = {
    account,
    store,
    set(patch) {
      current = { ...current, ...patch }
      if (!current.hold) poster.release()
    },
    async pay({ link, reference, ...paying }) {
      const links = await store.list(account, 'payment_link')
      const id =
        link ??
        links.find((link) => link.reference_id === reference)?.id ??
        linkIdOf(account.keyId, reference ?? '')
      return payLink({ store, account }, id, paying)
    },
    async payInChat(newOrder, paying) {
      const order = await makeOrder({ store, account }, newOrder)
      return { order, payment: await payOrder({ store, account }, order, paying) }
    },
    webhooks: poster.counts,
    handles: (req) => req.url?.startsWith(`${PREFIX}/`) ?? false,
    handle: (req, res) => {
      if (!req.url?.startsWith(`${PREFIX}/_simulator/`)) return play(req, res)
      void answerControl(gateway, state, req)
        .catch((error: unknown) => refusalOf(error))
        .then(({ status, body }) => {
          res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
          res.end(JSON.stringify(body))
        })
    },
    close: poster.close,
  }
  return gateway
}

async function answerControl(gateway: StandaloneGateway, state: () => object, req: IncomingMessage) {
  const body = await readBody(req)
  const expected = `Basic ${Buffer.from(`${gateway.account.keyId}:${gateway.account.keySecret}`).toString('base64')}`
  if (!sameSecret(req.headers.authorization ?? '', expected))
    return refusal(401, 'Give the key id and key secret of the gateway as Authorization: Basic.')
  if (body === undefined) return refusal(400, 'The body is not a JSON object.')
  const name = `${req.method} ${req.url!.slice(`${PREFIX}/_simulator`.length)}`
  const control = Object.hasOwn(controls, name) ? controls[name] : undefined
  if (control === undefined) return refusal(404, `There is no control call ${name}.`)
  return { status: 200, body: (await control(gateway, body, state)) ?? { ok: true } }
}

function refusalOf(error: unknown) {
  if (error instanceof NoLink) return refusal(404, error.message)
  if (error instanceof z.ZodError)
    return refusal(
      400,
      error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
    )
  return refusal(500, error instanceof Error ? error.message : String(error))
}

const refusal = (status: number, message: string) => ({ status, body: { error: { message } } as unknown })
