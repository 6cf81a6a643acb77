/**
 * A stand-in for the operator, for numbers connected with operator `cloud`. It accepts messages as
 * configured, and its reports go into the intake, where the service's callback stores them.
 *
 *   const operator = await standInOperator()
 *   const parley = await boot({ env: operator.env })
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tx } from '../../src/core/context.ts'
import { newId } from '../../src/core/ids.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { insertUpdates } from '../../src/modules/messaging/messages/intake/queries/updates.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { type Body, SECRET_KEY } from './boot.ts'
import { until } from './until.ts'

/** A message as the operator received it. */
export type Taken = {
  body: Body
  chanmid: string
  response: ServerResponse
  request: IncomingMessage
  /** When it had arrived, by a monotonic clock that only measures differences. */
  atMs: number
}
/** Answers one message; without this function the operator accepts the message. */
export type Answering = (handover: Taken) => void | Promise<void>

/**
 * The mark at the end of an answer: chunks with their lengths, a content length, or the end of the
 * connection.
 */
export const FORMS = ['in pieces', 'by length', 'until the end'] as const

/** Answers with this body. */
export function answerIn(
  form: (typeof FORMS)[number],
  { response }: Taken,
  status: number,
  body: object,
): void {
  const text = JSON.stringify(body)
  response.useChunkedEncodingByDefault = form === 'in pieces'
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(form === 'by length' ? { 'content-length': Buffer.byteLength(text) } : {}),
  })
  response.end(text)
}

export const acceptIn =
  (form: (typeof FORMS)[number]) =>
  (handover: Taken): void =>
    answerIn(form, handover, 200, {
      messaging_product: 'whatsapp',
      contacts: [],
      messages: [{ id: handover.chanmid }],
    })

export const accept = acceptIn('in pieces')

/** Accepts a message and names its recipient with these digits. */
export const acceptAs =
  (waId: string): Answering =>
  (handover) =>
    answerIn('in pieces', handover, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: handover.body.to, wa_id: waId }],
      messages: [{ id: handover.chanmid }],
    })

export const refuseWith =
  (status: number, error: object, headers: Record<string, string> = {}): Answering =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error }))
  }

type Health = { status: number; body: object | ((url: string) => object) }

/** Returns the operator's id of the number that a request is about. */
export const numberIn = (url = ''): string => /\/(\d+)(?:\/|\?)/.exec(url)?.[1] ?? ''

export async function standInOperator() {
  const handovers: Taken[] = []
  let answering: Answering = accept
  const answeringFor = new Map<string, Answering>()
  // Every list is empty.
  let health: Health = { status: 200, body: { status: 'CONNECTED', data: [] } }
  const healthOf = new Map<string, Health>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // A request that broke off in its body has no effect.
      return
    }
    if (request.method === 'GET') {
      const { status, body } = healthOf.get(numberIn(request.url)) ?? health
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(typeof body === 'function' ? body(request.url ?? '') : body))
      return
    }
    const handover = {
      // The file of a form is left out.
      body: /json/.test(request.headers['content-type'] ?? '')
        ? JSON.parse(Buffer.concat(chunks).toString('utf8'))
        : {},
      chanmid: `wamid.${randomUUID()}`,
      response,
      request,
      atMs: performance.now(),
    }
    handovers.push(handover)
    await (answeringFor.get(numberIn(request.url)) ?? answering)(handover)
  })
  // A process that was stopped must find its connections open when it continues: a call on a closed
  // connection has an unknown result.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    env: { PARLEY_OPERATOR_URL: `http://127.0.0.1:${port}` },
    port,
    /** Every message that reached the operator, in order. */
    taken: handovers,
    answer: (next: Answering) => {
      answering = next
    },
    /** Sets the answers to messages of one number, by the operator's id of the number. */
    answerFor: (operatorId: string, next: Answering) => {
      answeringFor.set(operatorId, next)
    },
    /** Sets the answer to requests for the state of a number. */
    saysOfNumbers: (status: number, body: Health['body']) => {
      health = { status, body }
    },
    /** Sets this answer for the state of one number, by the operator's id of the number. */
    saysOfNumber: (operatorId: string, status: number, body: Health['body']) => {
      healthOf.set(operatorId, { status, body })
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type StandInOperator = Awaited<ReturnType<typeof standInOperator>>

/** A number at the operator: our id and the operator's id. */
export type CloudNumber = { phoneNumberId: string; operatorId: string }

type Platform = { system<T>(work: (tx: Tx) => Promise<T>): Promise<T> }

/** Connects another number at the operator. */
export async function addCloudNumber(parley: Platform, workspaceId: string): Promise<CloudNumber> {
  const digits = () => `1${String(Math.random()).slice(2, 16).padEnd(14, '0')}`
  const operatorId = digits()
  const { phoneNumberId } = await parley.system((tx) =>
    addPhoneNumber(
      tx,
      { workspaceId, number: `+1555${digits().slice(1, 8)}`, operator: 'cloud', operatorId },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
  return { phoneNumberId, operatorId }
}

export type CloudShop<Shop> = Shop & {
  cloudNumberId: string
  /** The operator's id of the number. */
  operatorId: string
  /**
   * Reports all of this in one webhook, in this order; the service has not yet applied it when this returns.
   */
  operatorSays(...values: object[]): Promise<void>
  /** Reports a value of another field of its webhooks. */
  operatorSaysOf(field: string, value: object): Promise<void>
  /** Waits until the service has applied everything that the operator reported. */
  settled(): Promise<unknown>
  /** Sends a message of a customer; resolves once the message has arrived. */
  writes(from: string, text?: string, more?: object): Promise<void>
  /** Sends a message of each customer, to the shop's number unless another is named. */
  writesAll(from: string[], number?: CloudNumber): Promise<void>
}

/** Creates a workspace with one number at the operator. */
export async function cloudShop<Shop extends { workspaceId: string }>(
  parley: Platform & { workspace(): Promise<Shop> },
): Promise<CloudShop<Shop>> {
  const shop = await parley.workspace()
  const own = await addCloudNumber(parley, shop.workspaceId)
  const storeReports = ({ phoneNumberId, operatorId }: CloudNumber, values: object[], field = 'messages') =>
    parley.system(async (tx) => {
      const rows = values.map((value) => ({
        workspaceId: shop.workspaceId,
        id: newId(),
        phoneNumberId,
        sender: null,
        body: { field, value: { metadata: { phone_number_id: operatorId }, ...value } },
        reference: null,
        runAt: new Date(),
        receivedAt: new Date(),
      }))
      await insertUpdates(tx.sql, rows)
    })
  const waitUntilApplied = () =>
    until(async () => {
      const [row] = await parley.system((tx) =>
        tx.sql<{ waiting: number }>(
          'select count(*) as waiting from operator_updates where workspace_id = $1 and failed_at is null',
          [shop.workspaceId],
        ),
      )
      return row!.waiting === 0
    }, "the operator's updates are applied")
  const operatorSays = (...values: object[]) => storeReports(own, values)
  return {
    ...shop,
    cloudNumberId: own.phoneNumberId,
    operatorId: own.operatorId,
    operatorSays,
    operatorSaysOf: (field, value) => storeReports(own, [value], field),
    settled: waitUntilApplied,
    writes: async (from, text = 'hello', more = {}) => {
      await operatorSays(inbound(from, text, more))
      await waitUntilApplied()
    },
    writesAll: async (from, number = own) => {
      await storeReports(
        number,
        from.map((phone) => inbound(phone, 'hello')),
      )
      await waitUntilApplied()
    },
  }
}

const now = (): string => String(Math.floor(Date.now() / 1000))

/** Returns the operator's report of a customer's message. */
export const inbound = (from: string, text: string, more: object = {}) => ({
  messages: [
    {
      from: from.replace('+', ''),
      id: `wamid.${randomUUID()}`,
      timestamp: now(),
      type: 'text',
      text: { body: text },
      ...more,
    },
  ],
})

/** Returns the operator's report about the state of an outbound message. */
export const receipt = (
  status: 'sent' | 'delivered' | 'read' | 'played' | 'failed',
  message: { chanmid: string; messageId?: string },
  errors: object[] = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }],
) => ({
  statuses: [
    {
      id: message.chanmid,
      status,
      timestamp: now(),
      ...(message.messageId ? { biz_opaque_callback_data: message.messageId } : {}),
      ...(status === 'failed' ? { errors } : {}),
    },
  ],
})
