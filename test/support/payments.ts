/** Payment gateways of test workspaces: connecting them, paying, and posting their webhooks from outside. */
import { randomInt, randomUUID } from 'node:crypto'
import {
  type StandaloneSimulator,
  startStandaloneSimulator,
} from '../../src/operator/simulator/standalone/start.ts'
import { signGatewayWebhook } from '../../src/payment-gateway/razorpay/signature.ts'
import { type Answered, type Body, SECRET_KEY, type TestParley, type TestWorkspace } from './boot.ts'
import { runParley } from './command-line.ts'
import { type ConnectedNumber, connectNumber } from './operator-webhooks.ts'
import { until } from './until.ts'

const newPhone = (): string => `+9198${randomInt(10_000_000, 99_999_999)}`

export const RAZORPAY = { keyId: 'rzp_test_shop', keySecret: 'key secret', webhookSecret: 'webhook secret' }

/** The environment that `parley` needs to work on the same installation. */
export const commandEnv = (parley: TestParley): Record<string, string> => ({
  DATABASE_URL: parley.databaseUrl,
  PARLEY_DATA_DIR: parley.config.dataDir,
  PARLEY_SECRET_KEY: SECRET_KEY,
})

/** Pays as a customer at the simulated gateway: `parley simulate payment`. */
export async function pay(
  parley: TestParley,
  shop: TestWorkspace,
  request: string,
  ...more: string[]
): Promise<Body> {
  const words = ['simulate', 'payment', '--workspace', shop.workspaceId, '--request', request, ...more]
  const { code, stdout, stderr } = await runParley([...words, '--json'], commandEnv(parley))
  if (code !== 0) throw new Error(`simulate payment ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Creates a sandbox, which has the simulated gateway, and a customer who has just messaged it. */
export async function payingShop(parley: TestParley, phone = '+919812345678') {
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound(phone, 'I take two.')
  const { conversations } = (await shop.get('/conversations')).body
  return { shop, phone, conversationId: conversations[0].id as string }
}

/** Two shirts with shipping: 48,000 paise. */
export const order = (more: object = {}): Record<string, unknown> => ({
  referenceId: `ORD-${randomUUID().slice(0, 8)}`,
  items: [{ name: 'Kurta', quantity: 2, unitPaise: 22_000 }],
  shippingPaise: 4_000,
  ...more,
})

/** Waits until `isExpected` is true for the request, and returns the request. */
export const requestWhen = (
  shop: TestWorkspace,
  ref: string,
  isExpected: (request: Body) => boolean,
  label: string,
): Promise<Body> =>
  until(async () => {
    const { paymentRequest } = (await shop.get(`/payment-requests/${ref}`)).body
    return paymentRequest && isExpected(paymentRequest) && paymentRequest
  }, label)

/** Signs and posts a body of the gateway, as it arrives from outside. */
export const gatewayPost = (
  parley: TestParley,
  shop: TestWorkspace,
  body: unknown,
  { secret = RAZORPAY.webhookSecret, eventId = randomUUID() as string | undefined } = {},
): Promise<Answered> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return parley.anonymous.post(`/api/gateway/${shop.workspaceId}`, text, {
    headers: {
      'x-razorpay-signature': signGatewayWebhook(text, secret),
      ...(eventId === undefined ? {} : { 'x-razorpay-event-id': eventId }),
    },
  })
}

/** Waits until the service has applied all reports of gateways. */
export const gatewayApplied = (parley: TestParley, shop: TestWorkspace): Promise<unknown> =>
  until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ waiting: number }>(
        `select count(*)::int as waiting from gateway_posts
         where workspace_id = $1 and raw is not null and failed_at is null`,
        [shop.workspaceId],
      ),
    )
    return row?.waiting === 0
  }, 'the reports of the gateway are applied')

/** Returns a webhook of the gateway about a payment for the request. */
export const paymentEvent = (
  event: string,
  { requestId, linkId = 'plink_1' }: { requestId: string; linkId?: string },
  payment: Record<string, unknown> = {},
) => ({
  entity: 'event',
  account_id: 'acc_1',
  event,
  contains: ['payment_link', 'payment'],
  payload: {
    ...(event.startsWith('payment_link')
      ? { payment_link: { entity: { id: linkId, reference_id: requestId, status: 'paid' } } }
      : {}),
    payment: {
      entity: {
        id: 'pay_1',
        entity: 'payment',
        amount: 48_000,
        currency: 'INR',
        status: event === 'payment.failed' ? 'failed' : 'captured',
        method: 'upi',
        amount_refunded: 0,
        notes: { payment_request_id: requestId },
        created_at: Math.floor(Date.now() / 1000),
        ...payment,
      },
    },
  },
  created_at: Math.floor(Date.now() / 1000),
})

/** Reports that a customer has just messaged, as the operator does. */
export const reportCustomer = (number: ConnectedNumber, phone: string): Promise<unknown> =>
  number.report('messages', {
    messages: [
      {
        from: phone.slice(1),
        id: `wamid.${randomUUID()}`,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: 'I take two.' },
      },
    ],
  })

/**
 * Creates a shop with a number at the operator and its own gateway, both stand-ins; a customer has messaged
 * it.
 */
export async function realShop(
  parley: TestParley,
  operator: StandaloneSimulator,
  { configuration, phone = newPhone() }: { configuration?: string; phone?: string } = {},
) {
  const shop = await parley.workspace()
  const number = await connectNumber(parley, shop)
  const { operatorId, accountId, displayNumber } = number
  operator.store.numbers.push({ operatorId, accountId, displayNumber, token: 'operator-token' })
  await shop.connectGateway({ provider: 'razorpay', ...RAZORPAY, configuration })
  await reportCustomer(number, phone)
  const requestPayment = async (more: object = {}): Promise<Body> => {
    const answer = await shop.post('/payment-requests', order({ to: phone, ...more }))
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
    return answer.body.paymentRequest
  }
  /** Sends a payment request, and waits until its message has been sent. */
  const requestAndWait = async (more: object = {}): Promise<Body> => {
    const { id, messageId } = await requestPayment(more)
    await until(
      async () => (await shop.get(`/messages/${messageId}`)).body.message.chanmid !== null,
      'the message is submitted',
    )
    return (await shop.get(`/payment-requests/${id}`)).body.paymentRequest
  }
  const find = async (ref: string): Promise<Body> =>
    (await shop.get(`/payment-requests/${ref}`)).body.paymentRequest
  const paidEvents = async (): Promise<Body[]> =>
    (await shop.get('/events?limit=100')).body.events.filter((event: Body) => event.event === 'payment.paid')
  return { shop, number, phone, ask: requestPayment, asked: requestAndWait, find, paidEvents }
}
export type RealShop = Awaited<ReturnType<typeof realShop>>

/** A stand-in for the chat network that reports nothing by itself. */
export const quietOperator = (): Promise<StandaloneSimulator> =>
  startStandaloneSimulator({ host: '127.0.0.1', port: 0, numbers: [], appSecret: 'nobody listens' })

/** Returns the operator's report of a payment (docs/formats.md section 13). */
export const paymentStatus = (
  referenceId: string,
  payment: {
    status?: string
    paise?: number
    transaction?: Record<string, unknown>
    currency?: string
    refundedPaise?: number
  } = {},
) => {
  const { status = 'captured', paise = 48_000, transaction = {}, currency = 'INR', refundedPaise } = payment
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    statuses: [
      {
        id: 'wamid.PAYMSG',
        recipient_id: '919812345678',
        type: 'payment',
        status,
        payment: {
          reference_id: referenceId,
          amount: { value: paise, offset: 100 },
          currency,
          transaction: {
            id: 'order_1',
            pg_transaction_id: 'pay_1',
            type: 'razorpay',
            status: 'success',
            created_timestamp: timestamp,
            updated_timestamp: timestamp,
            method: { type: 'upi' },
            ...transaction,
          },
          ...(refundedPaise === undefined
            ? {}
            : {
                refunds: [{ id: 'rfnd_1', amount: { value: refundedPaise, offset: 100 }, status: 'success' }],
              }),
        },
        timestamp: String(timestamp),
      },
    ],
  }
}
