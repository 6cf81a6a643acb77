import { idOrNull, objectsIn } from '../../core/values/storable.ts'
import type { Gateway, GatewayAccount, GatewayAnswer, GatewayOrder, NewLink } from '../port.ts'
import { readLink, readPaise, readPayment } from './entities.ts'
import { notedRequest } from './events.ts'
import { type Json, type Line, type LineOptions, openLine, readAnswer, segment } from './line.ts'

/**
 * Creates the adapter of the gateway's HTTP API (docs/formats.md section 15). It never retries, and no
 * function rejects.
 */
export function createRazorpay(options: LineOptions): Gateway {
  const line = openLine(options)
  const get = (account: GatewayAccount, path: string) => line(account, { method: 'GET', path })
  return {
    createLink: async (account, link) =>
      readAnswer(
        await line(account, { method: 'POST', path: '/payment_links', json: linkBody(link) }),
        readLink,
      ),
    findLink: async (account, id) =>
      valueIfFound(await get(account, `/payment_links${segment(id)}`), readLink),
    findLinkByReference: async (account, reference) => {
      const answer = await get(account, `/payment_links?${new URLSearchParams({ reference_id: reference })}`)
      if (answer.kind !== 'done') return answer
      const { payment_links: listed } = answer.value
      // Only a list without the link proves that there is none: otherwise a second link would be created.
      if (!Array.isArray(listed)) return { kind: 'unknown', reason: 'The answer has no list of links.' }
      const links = objectsIn(listed).flatMap((entity) => readLink(entity) ?? [])
      return { kind: 'done', value: links.find((link) => link.reference === reference) }
    },
    cancelLink: async (account, id) => {
      const path = `/payment_links${segment(id)}`
      const answer = await line(account, { method: 'POST', path: `${path}/cancel`, json: {} })
      // A finished link cannot be canceled: the link itself shows how it ended.
      return answer.kind === 'refused' && answer.permanent
        ? valueIfFound(await get(account, path), readLink)
        : readAnswer(answer, readLink)
    },
    findOrder: (account, order) => findOrder(line, account, order),
    listRefunds: async (account, paymentId) =>
      readAnswer(await get(account, `/payments${segment(paymentId)}/refunds?count=100`), (value) =>
        objectsIn(value.items).flatMap((entity) => readRefund(entity) ?? []),
      ),
    checkAccount: async (account) => readAnswer(await get(account, '/payments?count=1'), () => true),
  }
}

const linkBody = ({ reference, amountPaise, description, customer, expiresAt, notes }: NewLink): Json => ({
  amount: amountPaise,
  currency: 'INR',
  accept_partial: false,
  reference_id: reference,
  description,
  customer: {
    ...(customer.name === null ? {} : { name: customer.name }),
    ...(customer.phone === null ? {} : { contact: customer.phone }),
  },
  // The customer is asked only in the chat.
  notify: { sms: false, email: false },
  reminder_enable: false,
  ...(expiresAt === null ? {} : { expire_by: Math.floor(expiresAt.getTime() / 1000) }),
  notes,
})

/** Returns the requested object; undefined if the gateway does not know it. */
function valueIfFound<Value>(
  answer: GatewayAnswer<Json>,
  read: (value: Json) => Value | undefined,
): GatewayAnswer<Value | undefined> {
  const isMissing =
    answer.kind === 'refused' &&
    (answer.code === 'HTTP_404' || /does not exist|not found|not a valid id/i.test(answer.message))
  return isMissing ? { kind: 'done', value: undefined } : readAnswer(answer, read)
}

const readRefund = (entity: Json) => {
  const [id, amountPaise] = [idOrNull(entity.id), readPaise(entity.amount)]
  return id === null || amountPaise === null
    ? undefined
    : { id, amountPaise, processed: entity.status === 'processed' }
}

/** Requests the orders with the receipt, then the payments of the paid order, or else of the latest. */
async function findOrder(
  line: Line,
  account: GatewayAccount,
  { receipt, requestId }: { receipt: string; requestId: string },
): Promise<GatewayAnswer<GatewayOrder | undefined>> {
  const listed = await line(account, {
    method: 'GET',
    path: `/orders?${new URLSearchParams({ receipt, count: '100' })}`,
  })
  if (listed.kind !== 'done') return listed
  const orders = objectsIn(listed.value.items).filter((order) => notedRequest(order) === requestId)
  const id = idOrNull((orders.find((order) => order.status === 'paid') ?? orders[0])?.id)
  if (id === null) return { kind: 'done', value: undefined }
  return readAnswer(
    await line(account, { method: 'GET', path: `/orders${segment(id)}/payments` }),
    (value) => ({
      id,
      payments: objectsIn(value.items).flatMap((entity) => readPayment(entity) ?? []),
    }),
  )
}
