import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { comment, writeDm } from '../../src/social-network/simulator/customers.ts'
import { type Answered, type Body, clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { type KillableServer, killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import {
  bodyOf,
  type OutsideAccount,
  type PhotoNetwork,
  startPhotoNetwork,
} from '../support/photo-network.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

let network: PhotoNetwork
beforeAll(async () => {
  network = await startPhotoNetwork()
})
afterAll(() => network?.close())
const installation = killableInstallation(() => network.env)

/**
 * When the process dies: when the call arrives, when the call has had its effect, when its answer leaves, or
 * at any time.
 */
const STEPS = ['arrived', 'done', 'answered', 'any time'] as const

test(
  'kill -9 at every step of sending and replying: done at most once, and a retry gets the known result',
  async () => {
    const random = randomFrom(seedOf('killed replies'))
    const server = await installation.start()
    const { admin } = server
    onTestFinished(() => network.calls.between())
    const { workspaceId, apiKey } = await newShop(admin)
    const client = clientOf(server.url, apiKey)
    const service = { system: admin.system, url: server.url }
    const account = await network.connect(service, { workspaceId })
    await reportAction(account, () =>
      writeDm(network.store, account.simulated, { from: 'asha_r', text: 'Hi' }),
    )
    await reportAction(account, () =>
      comment(network.store, account.simulated, { from: 'asha_r', text: 'Price?' }),
    )
    const conversationId = (await client.get('/social/conversations')).body.conversations[0].id
    const commentId = (await client.get('/social/comments')).body.comments[0].id
    /** The two ways to send a text, how the result appears, and how a result that is unknown is reported. */
    const channels = [
      {
        post: (text: string, idempotencyKey: string) =>
          client.post('/social/send', { conversationId, text }, { idempotencyKey }),
        shown: async (): Promise<Body[]> =>
          (await client.get(`/social/conversations/${conversationId}/messages?limit=100`)).body.messages.map(
            ({ content, status }: Body) => ({ text: content.text, status }),
          ),
        unconfirmed: 'send_unconfirmed',
      },
      {
        post: (text: string, idempotencyKey: string) =>
          client.post(`/social/comments/${commentId}/reply`, { text }, { idempotencyKey }),
        shown: async (): Promise<Body[]> => (await client.get('/social/comments')).body.comments[0].replies,
        unconfirmed: 'reply_unconfirmed',
      },
    ]

    let kills = 0
    const done: string[] = []
    for (const round of roundsOf(STEPS.length)) {
      const step = STEPS[(round - 1) % STEPS.length]!
      // All steps once, and then the same with the other way.
      const channel = channels[(round + Math.floor((round - 1) / STEPS.length)) % channels.length]!
      const [text, idempotencyKey] = [`Round ${round}`, randomUUID()]
      network.events.length = 0
      await killAt(step, random, server, () => channel.post(text, idempotencyKey))
      kills++
      network.calls.between()
      await server.restart()
      // As if the two minutes had passed after which an unfinished request frees its key.
      await admin.query(`update idempotency_keys set started_at = started_at - interval '3 minutes'`)
      const replay = await retryUntilReady(() => channel.post(text, idempotencyKey))
      const effects = network.events.length
      expect([200, 502], replay.text).toContain(replay.status)
      if (replay.status === 502) expect(replay.body.error).toBe(channel.unconfirmed)
      else expect(effects, 'what is reported to have been done was done').toBe(1)
      expect(effects, `step ${step}`).toBeLessThanOrEqual(1)
      expect(await retryUntilReady(() => channel.post(text, idempotencyKey))).toMatchObject({
        status: replay.status,
        body: replay.body,
      })
      // The network reports the effects, each twice, as it does in production.
      for (const { event } of [...network.events, ...network.events])
        await account.report(bodyOf(account.simulated, event))
      const shown = (await channel.shown()).filter((message) => message.text === text)
      expect(shown).toMatchObject([{ status: effects === 1 ? 'sent' : 'unconfirmed' }])
      done.push(...network.events.map(() => text))
    }
    recordFigures({
      rows: '2',
      fault: 'kill -9 amid sends and replies on the photo network',
      rounds: kills,
      kills,
      accepted: kills,
      doubled: done.length - new Set(done).size,
    })
  },
  timeFor(180_000),
)

test(
  'kill -9 while reports are applied: each is announced, and once',
  async () => {
    const random = randomFrom(seedOf('killed social intake'))
    const server = await installation.start()
    const { admin } = server
    const workspace = await newShop(admin)
    const service = { system: admin.system, url: server.url }
    const account = await network.connect(service, workspace)
    const written: string[] = []
    let kills = 0
    for (const round of roundsOf(2)) {
      network.events.length = 0
      for (let n = 0; n < 20; n++)
        await writeDm(network.store, account.simulated, { from: `customer_${n % 5}`, text: `${round}.${n}` })
      const posted = Promise.allSettled(
        network.events.map(({ event }) => account.post(bodyOf(account.simulated, event))),
      )
      await new Promise((resolve) => setTimeout(resolve, random() * 150))
      await server.kill()
      kills++
      // The network repeats every report without an answer.
      const answers = await posted
      await server.restart()
      for (const [i, { event }] of network.events.entries()) {
        const answer = answers[i]!
        if (answer.status === 'fulfilled' && answer.value.status === 200) continue
        await retryUntilReady(() => account.post(bodyOf(account.simulated, event)))
      }
      written.push(...Array.from({ length: 20 }, (_, n) => `${round}.${n}`))
      await account.applied()
    }
    const events = await eventsOf(admin, workspace.workspaceId)
    const texts = events
      .filter(({ name }) => name === 'social.message.received')
      .map(({ data }) => data.content.text)
    expect(texts.sort()).toEqual(written.sort())
    recordFigures({
      rows: '9',
      fault: 'kill -9 while reports of the photo network are applied',
      rounds: kills,
      kills,
      accepted: written.length,
      eventsMissing: written.length - texts.length,
    })
  },
  timeFor(180_000),
)

/** Performs an action of a person at the network, and has the network report it. */
async function reportAction(account: OutsideAccount, act: () => Promise<unknown>): Promise<void> {
  network.events.length = 0
  await act()
  for (const { event } of network.events) await account.report(bodyOf(account.simulated, event))
}

/** Starts a request, and kills the process that serves it at a step of its call. */
async function killAt(
  step: (typeof STEPS)[number],
  random: () => number,
  server: KillableServer,
  begin: () => Promise<unknown>,
): Promise<void> {
  const reached = Promise.withResolvers<void>()
  network.calls.between(async (request, forward) => {
    if (request.method !== 'POST') return forward()
    if (step === 'arrived') {
      reached.resolve()
      await server.exited
      throw new Error('the caller is gone')
    }
    const answer = await forward()
    if (step === 'done') {
      reached.resolve()
      await server.exited
    } else reached.resolve()
    return answer
  })
  const answered = begin().catch(() => {})
  if (step === 'any time') await new Promise((resolve) => setTimeout(resolve, random() * 30))
  else await reached.promise
  if (step === 'answered') await new Promise((resolve) => setTimeout(resolve, random() * 5))
  await server.kill()
  await answered
}

/** A process that has just started may answer that the request should be repeated shortly. */
const retryUntilReady = (send: () => Promise<Answered>): Promise<Answered> =>
  until(async () => {
    const answer = await send()
    return answer.status !== 503 && answer.status !== 409 && answer
  }, 'the chat has an answer')
