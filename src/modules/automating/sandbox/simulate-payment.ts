/**
 * Simulates a customer's payment, or failed attempt, at the simulated gateway, reported like a real one
 * (docs/running.md `simulate payment`).
 */
import type { Clock } from '../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { isUuid } from '../../../core/ids.ts'
import type { SimulatedNumber, SimulatorStore } from '../../../operator/simulator/store.ts'
import {
  findOrder,
  type Paying as OperatorPaying,
  payOrder as payInChat,
} from '../../../operator/simulator/stored-orders.ts'
import { makeOrder, type Paying, payLink, payOrder } from '../../../payment-gateway/simulator/paying.ts'
import type { Entity, GatewayStore } from '../../../payment-gateway/simulator/store.ts'
import { findGateway } from '../../selling/payments/operations/gateway-connection.ts'
import { findPaymentLink, findPaymentLinkOf, type LinkRow } from '../../selling/payments/operations/links.ts'
import { getRequest } from '../../selling/payments/operations/read-requests.ts'

declare module '../../../core/context.ts' {
  interface Outside {
    /** Pays like a customer at the simulated gateway; returns the payment. */
    simulatePayment(workspace: Workspace, paying: Paying & { request: string }): Promise<string>
  }
}

export type SimulatePaymentOptions = {
  database: Database
  clock: Clock
  gateway: GatewayStore
  operator: SimulatorStore
  /** Returns the simulated number by our id; undefined for a number of the real operator. */
  number(workspaceId: string, phoneNumberId: string): Promise<SimulatedNumber | undefined>
  /** Waits a moment for a running server's next step. */
  pause(): Promise<void>
}

/** The maximum number of checks for the link. */
const MAX_LOOKS = 50

type Request = Awaited<ReturnType<typeof getRequest>>

const findRequest = ({ database, clock }: SimulatePaymentOptions, workspace: Workspace, ref: string) =>
  database.tenant(workspace, (unit) => getRequest(platformContext(unit, workspace, clock), ref))

/** Returns the request once it can be paid: its payment link is created a moment after it. */
async function payable(options: SimulatePaymentOptions, workspace: Workspace, ref: string): Promise<Request> {
  for (let attempt = 0; ; attempt++) {
    const request = await findRequest(options, workspace, ref)
    if (request.configuration !== null || request.linkId !== null) return request
    if (request.status !== 'created' || attempt === MAX_LOOKS)
      return refuse(
        'conflict',
        `The payment request is ${request.status} and has no payment link yet. Start the server to create the link.`,
      )
    await options.pause()
  }
}

/** Returns the payment link, by its id or subject; undefined: it is a payment request. */
const findLink = ({ database, clock }: SimulatePaymentOptions, workspace: Workspace, ref: string) =>
  database.tenant(workspace, async (unit) => {
    const ctx = platformContext(unit, workspace, clock)
    return isUuid(ref)
      ? ((await findPaymentLink(ctx, ref)) ?? (await findPaymentLinkOf(ctx, ref)))
      : undefined
  })

/** Pays a payment link, which the server creates a moment after the request. */
async function payOpenLink(
  options: SimulatePaymentOptions,
  workspace: Workspace,
  { link, paying }: { link: LinkRow; paying: Paying },
): Promise<string> {
  const row = await findGateway(options.database.query, workspace)
  const account = row && (await options.gateway.findAccount(row.keyId))
  let current: LinkRow | undefined = link
  for (
    let attempt = 0;
    current?.status === 'open' && current.linkId === null && attempt < MAX_LOOKS;
    attempt++
  ) {
    await options.pause()
    current = await findLink(options, workspace, link.id)
  }
  if (!account || !current?.linkId)
    return refuse('conflict', "The payment link doesn't exist yet. Start the server to create it.")
  if (!(await payLink({ store: options.gateway, account }, current.linkId, paying)))
    return refuse('conflict', "This payment link can't be paid anymore. Create another payment request.")
  return link.id
}

/** Pays by the customer's payment method; returns once the reports are stored. */
export async function simulatePayment(
  options: SimulatePaymentOptions,
  workspace: Workspace,
  { request: ref, ...paying }: Paying & { request: string },
): Promise<string> {
  const link = await findLink(options, workspace, ref)
  if (link) return payOpenLink(options, workspace, { link, paying })
  const request = await payable(options, workspace, ref)
  const row = await findGateway(options.database.query, workspace)
  const account = row && (await options.gateway.findAccount(row.keyId))
  if (!account || request.provider !== 'simulator')
    return refuse(
      'conflict',
      "This payment request doesn't use the simulated gateway. Use a sandbox, which always has it, or ask an admin to connect it.",
    )
  const simulator = { store: options.gateway, account }
  if (request.linkId !== null) {
    if (!(await payLink(simulator, request.linkId, paying)))
      return refuse(
        'not_found',
        'The simulated gateway no longer has this payment link. Create another payment request.',
      )
    return request.id
  }
  const order = await makeOrder(simulator, {
    receipt: request.referenceId,
    amount: request.totalPaise,
    notes: { payment_request_id: request.id },
  })
  const payment = await payOrder(simulator, order, paying)
  await reportInChat(options, request, { order, payment, paying })
  return request.id
}

/** The simulated operator reports it too. */
async function reportInChat(
  options: SimulatePaymentOptions,
  request: Request,
  { order, payment, paying }: { order: Entity; payment: Entity; paying: Paying },
): Promise<void> {
  const number = await options.number(request.workspaceId, request.phoneNumberId)
  const operatorOrder = number && (await findOrder(options.operator, number, request.referenceId))
  if (!operatorOrder) return
  const { paise, method } = paying
  const outcome: OperatorPaying['outcome'] = paying.fail ? 'failed' : 'success'
  await payInChat(options.operator, number, operatorOrder, {
    paise,
    method,
    outcome,
    orderId: order.id,
    paymentId: payment.id,
  })
}
