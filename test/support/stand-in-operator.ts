/**
 * An operator of the tests' own, for numbers connected with operator `cloud`: it takes messages as it
 * is set, and its reports are put into the intake where the service's callback puts them.
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
import { insertUpdates } from '../../src/modules/messages/intake/queries/updates.ts'
import { addPhoneNumber } from '../../src/modules/workspaces/operations/phone-numbers.ts'
import { type Body, SECRET_KEY } from './boot.ts'
import { until } from './until.ts'

/** A message as the operator got it. */
export type Taken = {
  body: Body
  chanmid: string
  response: ServerResponse
  request: IncomingMessage
  /** When it had arrived, by a clock that is only good for differences. */
  atMs: number
}
/** Answers one message; without it the operator accepts. */
export type Answering = (taken: Taken) => void | Promise<void>

/** How the end of an answer is shown: by pieces that say how long they are, by its length, or by the end of the connection. */
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
  (taken: Taken): void =>
    answerIn(form, taken, 200, {
      messaging_product: 'whatsapp',
      contacts: [],
      messages: [{ id: taken.chanmid }],
    })

export const accept = acceptIn('in pieces')

/** Takes a message and names its recipient by these digits. */
export const acceptAs =
  (waId: string): Answering =>
  (taken) =>
    answerIn('in pieces', taken, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: taken.body.to, wa_id: waId }],
      messages: [{ id: taken.chanmid }],
    })

export const refuseWith =
  (status: number, error: object, headers: Record<string, string> = {}): Answering =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error }))
  }

type Health = { status: number; body: object | ((url: string) => object) }

/** The operator's id of the number that a request is about. */
export const numberIn = (url = ''): string => /\/(\d+)(?:\/|\?)/.exec(url)?.[1] ?? ''

export async function standInOperator() {
  const taken: Taken[] = []
  let answering: Answering = accept
  const answeringFor = new Map<string, Answering>()
  // Whatever list is asked for is empty.
  let health: Health = { status: 200, body: { status: 'CONNECTED', data: [] } }
  const healthOf = new Map<string, Health>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // It broke off amid its body: nothing was asked.
      return
    }
    if (request.method === 'GET') {
      const { status, body } = healthOf.get(numberIn(request.url)) ?? health
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(typeof body === 'function' ? body(request.url ?? '') : body))
      return
    }
    const one = {
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
      chanmid: `wamid.${randomUUID()}`,
      response,
      request,
      atMs: performance.now(),
    }
    taken.push(one)
    await (answeringFor.get(numberIn(request.url)) ?? answering)(one)
  })
  // Whoever sleeps finds its connections as it left them: what was begun on one that was closed has no known end.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    env: { PARLEY_OPERATOR_URL: `http://127.0.0.1:${port}` },
    port,
    /** Every message that reached the operator, in order. */
    taken,
    answer: (next: Answering) => {
      answering = next
    },
    /** The same for what one number sends, by the operator's id of it. */
    answerFor: (operatorId: string, next: Answering) => {
      answeringFor.set(operatorId, next)
    },
    /** What it says when it is asked how a number is. */
    saysOfNumbers: (status: number, body: Health['body']) => {
      health = { status, body }
    },
    /** The same of one number, by the operator's id of it. */
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

/** A number at the operator, by our id and by the operator's. */
export type CloudNumber = { phoneNumberId: string; operatorId: string }

type Platform = { system<T>(work: (tx: Tx) => Promise<T>): Promise<T> }

/** Connects one more number at the operator. */
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
  /** The operator says all of this at once, in this order; nothing is applied yet when it returns. */
  operatorSays(...values: object[]): Promise<void>
  /** The same of another of its webhooks' fields. */
  operatorSaysOf(field: string, value: object): Promise<void>
  /** Everything that the operator said has been applied. */
  settled(): Promise<unknown>
  /** A customer writes, and the message has arrived. */
  writes(from: string, text?: string, more?: object): Promise<void>
  /** All of them write, to the shop's number unless another one is named. */
  writesAll(from: string[], number?: CloudNumber): Promise<void>
}

/** A workspace with one number at the operator. */
export async function cloudShop<Shop extends { workspaceId: string }>(
  parley: Platform & { workspace(): Promise<Shop> },
): Promise<CloudShop<Shop>> {
  const shop = await parley.workspace()
  const own = await addCloudNumber(parley, shop.workspaceId)
  const says = ({ phoneNumberId, operatorId }: CloudNumber, values: object[], field = 'messages') =>
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
  const settled = () =>
    until(async () => {
      const [row] = await parley.system((tx) =>
        tx.sql<{ waiting: number }>(
          'select count(*) as waiting from operator_updates where workspace_id = $1 and failed_at is null',
          [shop.workspaceId],
        ),
      )
      return row!.waiting === 0
    }, 'what the operator said is applied')
  const operatorSays = (...values: object[]) => says(own, values)
  return {
    ...shop,
    cloudNumberId: own.phoneNumberId,
    operatorId: own.operatorId,
    operatorSays,
    operatorSaysOf: (field, value) => says(own, [value], field),
    settled,
    writes: async (from, text = 'hello', more = {}) => {
      await operatorSays(inbound(from, text, more))
      await settled()
    },
    writesAll: async (from, number = own) => {
      await says(
        number,
        from.map((one) => inbound(one, 'hello')),
      )
      await settled()
    },
  }
}

const now = (): string => String(Math.floor(Date.now() / 1000))

/** The operator's words for a customer who writes. */
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

/** The operator's words for what became of a message of ours. */
export const receipt = (
  status: 'sent' | 'delivered' | 'read' | 'played' | 'failed',
  about: { chanmid: string; messageId?: string },
  errors: object[] = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }],
) => ({
  statuses: [
    {
      id: about.chanmid,
      status,
      timestamp: now(),
      ...(about.messageId ? { biz_opaque_callback_data: about.messageId } : {}),
      ...(status === 'failed' ? { errors } : {}),
    },
  ],
})
