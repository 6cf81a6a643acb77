/**
 * kill -9 while shops report orders: each report that got 200 is applied once, for any number of repetitions.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const ORDERS = 20
const TYPES = ['order_placed', 'order_paid', 'order_cancelled']
const SECRET = 'a-secret-that-both-sides-have'

test(
  'killed after the 200: applied once',
  async () => {
    const random = randomFrom(seedOf('killed orders'))
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await newShop(admin)
    const connected = await clientOf(server.url, apiKey).call('PUT', '/integrations/orders', {
      settings: { secret: SECRET, createLeads: true },
    })
    const path = new URL(connected.body.integration.intakeUrl).pathname
    /** Returns whether the report got 200. */
    const report = async (reference: string, type: string, phone: string): Promise<boolean> => {
      const body = JSON.stringify({ type, reference, phone, occurredAt: '2026-06-01T04:00:00Z' })
      const timestamp = String(Math.floor(Date.now() / 1000))
      const digest = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
      const headers = {
        'content-type': 'application/json',
        'x-webhook-id': `${reference} ${type}`,
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': `sha256=${digest}`,
      }
      try {
        const answer = await request(server.url + path, { method: 'POST', headers, body })
        await answer.body.dump()
        return answer.statusCode === 200
      } catch {
        return false
      }
    }
    const listApplied = async (): Promise<string[]> =>
      (await eventsOf(admin, workspaceId))
        .filter(({ name }) => name === 'order.event')
        .map(({ data }) => `${data.reference} ${data.type}`)
    const recoveriesMs: number[] = []
    const accepted = new Set<string>()
    let orders = 0
    for (const _ of roundsOf(1)) {
      const reports = Array.from({ length: ORDERS }, () => `A-${++orders}`).flatMap((reference, i) =>
        TYPES.map((type) => [reference, type, `+91981234${String(5000 + i)}`] as const),
      )
      const send = () =>
        Promise.all(
          reports.map(async (entry) => {
            if (await report(...entry)) accepted.add(`${entry[0]} ${entry[1]}`)
          }),
        )
      const sending = send()
      await wait(50 + random() * 150)
      await server.kill()
      const killedAt = performance.now()
      await sending
      const acknowledged = [...accepted]
      await server.restart()
      await until(async () => {
        const done = new Set(await listApplied())
        return acknowledged.every((entry) => done.has(entry))
      }, 'the accepted reports are applied')
      recoveriesMs.push(Math.round(performance.now() - killedAt))
      // A shop repeats every report without an answer, and some of the answered reports.
      await send()
      await until(
        async () => new Set(await listApplied()).size === orders * TYPES.length,
        'all reports are applied',
      )
    }
    const appliedReports = await listApplied()
    const [stored] = await admin.query<Record<string, number>>(
      `select (select count(*)::int from orders where workspace_id = $1) as orders,
              (select count(*)::int from contacts where workspace_id = $1) as contacts,
              (select coalesce(sum(capture_count), 0)::int from leads where workspace_id = $1) as captures`,
      [workspaceId],
    )
    recordFigures({
      rows: '1, 2, 9',
      fault: 'kill -9 amid reports of orders',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      accepted: accepted.size,
      lost: accepted.size - new Set(appliedReports).size,
      doubled: appliedReports.length - new Set(appliedReports).size,
      recoveriesMs,
    })
    expect(appliedReports).toHaveLength(orders * TYPES.length)
    expect(stored).toEqual({ orders, contacts: ORDERS, captures: orders })
  },
  timeFor(120_000),
)
