/** Shops that report orders to a workspace. */
import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Answered, Body, TestParley, TestWorkspace } from './boot.ts'
import { eventsOf } from './records.ts'
import { until } from './until.ts'

export const OWN_SECRET = 'a secret that both sides have'.replaceAll(' ', '-')

export type OwnShop = {
  path: string
  /** Signs and posts an order; the delivery's id is new unless given. */
  report(order: Record<string, unknown>, options?: { id?: string }): Promise<Answered>
  /** Posts bytes unchanged, signed or unsigned. */
  post(body: string, headers: Record<string, string>): Promise<Answered>
  sign(body: string, timestamp?: number): Record<string, string>
}

type Place = Pick<TestParley, 'anonymous' | 'config' | 'url'>

export const newOrder = (more: Record<string, unknown> = {}) => ({
  type: 'order_placed',
  reference: `A-${randomUUID().slice(0, 8)}`,
  phone: '+919812345678',
  customerName: 'Asha Rao',
  total: 2310.5,
  currency: 'INR',
  itemCount: 2,
  occurredAt: '2026-06-01T09:30:00+05:30',
  ...more,
})

/** Connects a new shop of the workspace. */
export async function ownShop(
  parley: Place,
  shop: Pick<TestWorkspace, 'call'>,
  settings: Record<string, unknown> = {},
): Promise<OwnShop> {
  const answer = await shop.call('PUT', '/integrations/orders', {
    settings: { secret: OWN_SECRET, ...settings },
  })
  expect(answer.status, answer.text).toBe(200)
  const { anonymous, config } = parley
  // The shop gets the public address, but the test server listens at another address.
  const path = `${parley.url}${(answer.body.integration.intakeUrl as string).slice(config.siteUrl.length)}`
  const sign = (body: string, timestamp = Math.floor(Date.now() / 1000)) => ({
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': `sha256=${createHmac('sha256', OWN_SECRET).update(`${timestamp}.${body}`).digest('hex')}`,
  })
  const post = (body: string, headers: Record<string, string>) => anonymous.post(path, body, { headers })
  return {
    path,
    sign,
    post,
    report: (order, { id = randomUUID() } = {}) => {
      const body = JSON.stringify(order)
      return post(body, { ...sign(body), 'x-webhook-id': id })
    },
  }
}

type Platform = Parameters<typeof eventsOf>[0]

/** Returns the values of `order.event` so far, in order. */
export const orderEvents = async (parley: Platform, workspaceId: string): Promise<Body[]> =>
  (await eventsOf(parley, workspaceId)).filter(({ name }) => name === 'order.event').map(({ data }) => data)

/** Waits until the service has applied all reports of shops. */
export const deliveriesApplied = (parley: Platform, workspaceId: string): Promise<unknown> =>
  until(
    async () =>
      parley.system(async (tx) => {
        const [row] = await tx.sql<{ waiting: number }>(
          `select count(*)::int as waiting from shop_deliveries
           where workspace_id = $1 and raw is not null and failed_at is null`,
          [workspaceId],
        )
        return row!.waiting === 0
      }),
    'all deliveries are applied',
  )
