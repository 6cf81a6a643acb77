/** Webhook endpoints of workspaces under load. Their receivers are witnesses outside the database: each event must reach them. */
import { expect } from 'vitest'
import type { Client } from './boot.ts'
import type { Admin } from './load.ts'
import { makeReceivers, type Receiver, signatureBy } from './receiver.ts'
import { eventsOf, type RecordedEvent } from './records.ts'
import { until } from './until.ts'

/** A delivery that was under way when a process or the database failed is repeated after its lease. */
const SETTLED_WITHIN_MS = 60_000

type FollowedShop = Client & { workspaceId: string }
type Followed = {
  shop: FollowedShop
  events: readonly string[]
  receiver: Receiver
  secret: string
  /** Ids of events that are older than the endpoint. */
  earlier: ReadonlySet<string>
}

export type EventLedger = {
  /** The settings with which the service trusts the receivers. */
  env: Record<string, string>
  /** Creates an endpoint for these events of a shop in which nothing happens yet. */
  follow(admin: Admin, shop: FollowedShop, events: readonly string[]): Promise<void>
  /** Data of the events with this name that reached the receivers. */
  dataOf(name: string): Record<string, unknown>[]
  /**
   * Waits until every event of the log has reached its receiver, and checks all signatures. Returns the number of events, of
   * repeated deliveries, and of received events that the log does not have.
   */
  settle(admin: Admin): Promise<{ events: number; repeated: number; unknown: number }>
  close(): Promise<void>
}

export async function openEventLedger(): Promise<EventLedger> {
  const receivers = await makeReceivers()
  const followed: Followed[] = []

  const listDue = async (
    admin: Admin,
    { shop, events, earlier }: Followed,
  ): Promise<Pick<RecordedEvent, 'id'>[]> =>
    (await eventsOf(admin, shop.workspaceId)).filter(
      ({ id, name }) => events.includes(name) && !earlier.has(id),
    )
  const idsAt = ({ receiver }: Followed) => new Set(receiver.received.map(({ body }) => body.id))

  return {
    env: receivers.env,
    follow: async (admin, shop, events) => {
      const receiver = await receivers.open()
      const answer = await shop.post('/webhooks', { url: receiver.url, events })
      expect(answer.status, answer.text).toBe(201)
      const earlier = new Set((await eventsOf(admin, shop.workspaceId)).map(({ id }) => id))
      followed.push({ shop, events, receiver, secret: answer.body.secret, earlier })
    },
    dataOf: (name) =>
      followed.flatMap(({ receiver }) =>
        receiver.received.filter(({ body }) => body.event === name).map(({ body }) => body.data),
      ),
    settle: async (admin) => {
      const counts = { events: 0, repeated: 0, unknown: 0 }
      for (const each of followed) {
        const due = await until(
          async () => {
            const found = await listDue(admin, each)
            const received = idsAt(each)
            const missing = found.filter(({ id }) => !received.has(id))
            if (missing.length > 0)
              throw new Error(`${missing.length} events are missing, such as ${JSON.stringify(missing[0])}`)
            return found
          },
          'every event reaches its receiver',
          SETTLED_WITHIN_MS,
        )
        const ids = new Set(due.map(({ id }) => id))
        const received = idsAt(each)
        counts.events += ids.size
        counts.repeated += each.receiver.received.length - received.size
        counts.unknown += [...received].filter((id) => !ids.has(id)).length
        for (const request of each.receiver.received)
          expect(request.headers['x-webhook-signature']).toBe(signatureBy(each.secret, request))
      }
      return counts
    },
    close: receivers.close,
  }
}
