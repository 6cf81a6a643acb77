/**
 * The connection between the service and the receivers of webhooks is cut anywhere, slow, or silent
 * (docs/reliability.md rows 12 to 14).
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { recordFigures, roundsOf, thorough, timeFor } from '../support/fault-run.ts'
import { makeReceivers, type Receiver, signatureBy } from '../support/receiver.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Cut, ENDINGS, randomCuts, tcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const EVENTS = 20
/** A silent connection costs an attempt 15 seconds, so only the long run includes it. */
const PLAYED = thorough ? ENDINGS : ENDINGS.slice(0, 2)

type TcpProxy = Awaited<ReturnType<typeof tcpProxy>>
type Setup = { proxy: TcpProxy; receiver: Receiver; ending: Cut['ending']; id: string; secret: string }

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
const proxies: TcpProxy[] = []
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  for (const proxy of proxies) await proxy.close()
  await receivers?.close()
})

/** A receiver that is only reachable through its own proxy. */
async function receiverBehindProxy(shop: TestWorkspace, ending: Cut['ending']): Promise<Setup> {
  const receiver = await receivers.open()
  const url = new URL(receiver.url)
  const port = Number(url.port)
  const proxy = await tcpProxy({ reach: () => connect(port, '127.0.0.1') })
  proxies.push(proxy)
  url.port = String(proxy.port())
  const { status, body, text } = await shop.post('/webhooks', { url: url.href, event: 'contact.created' })
  expect(status, text).toBe(201)
  return { proxy, receiver, ending, id: body.webhook.id, secret: body.secret }
}

test(
  "wherever the connection to a receiver breaks, even in the handshake: it gets every event, and repeated only those it didn't answer",
  async () => {
    const random = randomFrom(seedOf('way to receivers'))
    const shop = await parley.workspace({ sandbox: true })
    const setups = await Promise.all(PLAYED.map((ending) => receiverBehindProxy(shop, ending)))
    const attemptsOf = async (id: string): Promise<Body[]> => {
      const found: Body[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body } = await shop.get(
          `/webhooks/${id}/deliveries?limit=100${cursor && `&cursor=${cursor}`}`,
        )
        found.push(...body.deliveries)
        cursor = body.nextCursor
      }
      return found
    }
    let eventCount = 0
    let rounds = 0
    for (const _ of roundsOf(2)) {
      for (const { proxy, ending } of setups) {
        proxy.delay(random() * 20)
        // The handshake counts as exchanges, too: about every second attempt is cut somewhere.
        proxy.corrupt(randomCuts(random, 0.3, 1_200, [ending]))
      }
      const phones = Array.from({ length: EVENTS }, () => `+9198${String(30_000_000 + eventCount++)}`)
      await Promise.all(
        phones.map((phone) =>
          until(async () => (await shop.post('/contacts', { phone })).status === 201, 'a contact is created'),
        ),
      )
      // The first attempts, and their first retries.
      await shop.advance(6)
      for (const { proxy } of setups) {
        proxy.corrupt(() => undefined)
        proxy.delay(0)
      }
      // Silent connections stay silent until the service gives them up.
      await shop.advance(3_600)
      rounds++
    }

    let repeats = 0
    let eventsMissing = 0
    for (const { id, receiver, secret, proxy, ending } of setups) {
      const attempts = await until(async () => {
        const found = await attemptsOf(id)
        return found.every((attempt) => attempt.status !== 'pending') && found
      }, 'every attempt has a result')
      const byEvent = Map.groupBy(attempts, (attempt) => attempt.eventId as string)
      expect(byEvent.size, ending).toBe(eventCount)
      const arrived = Map.groupBy(receiver.received, (request) => request.body.id)
      eventsMissing += eventCount - arrived.size
      expect(new Set(arrived.keys()), ending).toEqual(new Set(byEvent.keys()))
      for (const [eventId, ofEvent] of byEvent) {
        const failed = ofEvent.filter((attempt) => attempt.status === 'failed')
        // The last attempt succeeded, and nothing was tried after it.
        expect(ofEvent.map((attempt) => attempt.attempt).sort()).toEqual(ofEvent.map((_, i) => i + 1))
        expect(ofEvent.length - failed.length).toBe(1)
        expect(arrived.get(eventId)!.length).toBeLessThanOrEqual(1 + failed.length)
        for (const { error, httpStatus } of failed) {
          expect(error).toMatch(/^[A-Z].*\.$/)
          expect(httpStatus).toBeNull()
        }
        repeats += arrived.get(eventId)!.length - 1
      }
      for (const request of receiver.received)
        expect(request.headers['x-webhook-signature']).toBe(signatureBy(secret, request))
      expect(proxy.cuts(), ending).toBeGreaterThan(0)
    }
    recordFigures({
      rows: '12, 13, 14',
      fault: 'bad ways to receivers of webhooks',
      rounds,
      accepted: eventCount * setups.length,
      eventsMissing,
      note: `${setups.reduce((sum, { proxy }) => sum + proxy.cuts(), 0)} cuts; ${repeats} came again, for their answer was lost`,
    })
  },
  timeFor(180_000),
)
