/** The rules that `parley chaos` checks of a receiver (spec 6.1 and 6.2). */
import { later, MINUTE_MS, SECOND_MS } from '../../core/clock.ts'
import { newWebhookSecret } from '../../core/values/webhook-secret.ts'
import {
  bigEvent,
  type ChaosEvent,
  type ChaosRequest,
  changedBody,
  OUTSIDE_TOLERANCE_MS,
  signedRequest,
  unsigned,
} from './chaos-deliveries.ts'

/** The receiver's answer; `status` is null if there was none. */
export type Answer = { status: number | null; ms: number; fault: string | null }

/** The needs of a check. */
export type Tools = {
  secret: string
  /** A secret that was replaced, whose 24 hours are over; null if the endpoint has none. */
  oldSecret: string | null
  currentTime(): Date
  event(change?: Partial<ChaosEvent>): ChaosEvent
  /** Sends a request; `slowly`: reads the answer after SLOW_READ_MS. */
  send(request: ChaosRequest, slowly?: boolean): Promise<Answer>
}

/** `need`: whether the exit code depends on it. */
export type Check = {
  rule: string
  need: 'must' | 'should'
  /** Returns the answers, which must be as expected. */
  send(tools: Tools): Promise<Answer[]>
  expected: 'accepts' | 'rejects'
  /** The way to repair the receiver. */
  repair: string
}

/** A copy is sent as often as this at the same time. */
const COPIES = 5
export const SLOW_READ_MS = 2 * SECOND_MS

const sign = (tools: Tools, event = tools.event()): ChaosRequest =>
  signedRequest(event, [tools.secret], tools.currentTime())

/** The first check: without it, the others have no meaning. */
export const BASELINE: Check = {
  rule: 'accepts a signed delivery',
  need: 'must',
  expected: 'accepts',
  repair: 'Answer 2xx to a delivery with a valid signature.',
  send: async (tools) => [await tools.send(sign(tools))],
}

export const CHECKS: Check[] = [
  {
    rule: 'accepts a duplicate',
    need: 'must',
    expected: 'accepts',
    repair: 'Answer 2xx to an event id that you already have, and do nothing else.',
    async send(tools) {
      const event = tools.event()
      return [await tools.send(sign(tools, event)), await tools.send(sign(tools, event))]
    },
  },
  {
    rule: 'accepts concurrent copies',
    need: 'must',
    expected: 'accepts',
    repair: 'Store the event id under a unique key, and answer 2xx to each copy.',
    send(tools) {
      const request = sign(tools)
      return Promise.all(Array.from({ length: COPIES }, () => tools.send(request)))
    },
  },
  {
    rule: 'accepts events out of order',
    need: 'must',
    expected: 'accepts',
    repair: 'Compare createdAt with your record instead of rejecting an older event.',
    async send(tools) {
      const events = [2, 1, 0].map((minutes) =>
        tools.event({ createdAt: later(tools.currentTime(), -minutes * MINUTE_MS) }),
      )
      const answers: Answer[] = []
      for (const event of events.toReversed()) answers.push(await tools.send(sign(tools, event)))
      return answers
    },
  },
  {
    rule: 'rejects a timestamp that is too old',
    need: 'should',
    expected: 'rejects',
    repair: 'Reject a delivery whose timestamp is more than 5 minutes before your clock.',
    send: async (tools) => [
      await tools.send(
        signedRequest(tools.event(), [tools.secret], later(tools.currentTime(), -OUTSIDE_TOLERANCE_MS)),
      ),
    ],
  },
  {
    rule: 'rejects a timestamp in the future',
    need: 'should',
    expected: 'rejects',
    repair: 'Reject a delivery whose timestamp is more than 5 minutes after your clock.',
    send: async (tools) => [
      await tools.send(
        signedRequest(tools.event(), [tools.secret], later(tools.currentTime(), OUTSIDE_TOLERANCE_MS)),
      ),
    ],
  },
  {
    rule: 'rejects a wrong signature',
    need: 'must',
    expected: 'rejects',
    repair: 'Compute the signature with your secret, and answer 4xx if it differs.',
    send: async (tools) => [
      await tools.send(signedRequest(tools.event(), [newWebhookSecret()], tools.currentTime())),
    ],
  },
  {
    rule: 'rejects a body that was changed',
    need: 'must',
    expected: 'rejects',
    repair: 'Sign the raw bytes of the body, before you parse them.',
    send: async (tools) => [await tools.send(changedBody(sign(tools)))],
  },
  {
    rule: 'rejects a delivery without a signature',
    need: 'must',
    expected: 'rejects',
    repair: 'Answer 4xx if the signature header is missing.',
    send: async (tools) => [await tools.send(unsigned(sign(tools)))],
  },
  {
    rule: 'rejects a secret that was replaced',
    need: 'must',
    expected: 'rejects',
    repair: 'Remove the old secret from your program 24 hours after a rotation.',
    send: async (tools) => [
      await tools.send(
        signedRequest(tools.event(), [tools.oldSecret ?? newWebhookSecret()], tools.currentTime()),
      ),
    ],
  },
  {
    rule: 'accepts two signatures after a rotation',
    need: 'must',
    expected: 'accepts',
    repair: 'Split the header at the comma, and accept the delivery if one value matches.',
    send: async (tools) => [
      await tools.send(signedRequest(tools.event(), [newWebhookSecret(), tools.secret], tools.currentTime())),
    ],
  },
  {
    rule: 'accepts a body of 64 KB',
    need: 'must',
    expected: 'accepts',
    repair: 'Raise the limit of your web server for bodies.',
    send: async (tools) => [await tools.send(sign(tools, bigEvent(tools.event())))],
  },
  {
    rule: 'accepts an unknown event',
    need: 'must',
    expected: 'accepts',
    repair: 'Answer 2xx to events that you do not know, and ignore them.',
    send: async (tools) => [
      await tools.send(sign(tools, tools.event({ event: 'chaos.unknown', data: { value: 1 } }))),
    ],
  },
  {
    rule: 'accepts an unknown field',
    need: 'must',
    expected: 'accepts',
    repair: 'Ignore fields that you do not know.',
    async send(tools) {
      const event = tools.event()
      const data = { ...event.data, chaosField: { nested: [1, null, 'text'] } }
      return [await tools.send(sign(tools, { ...event, data }))]
    },
  },
  {
    rule: 'serves others while one reads slowly',
    need: 'should',
    expected: 'accepts',
    repair: 'Serve each connection without waiting for the others.',
    send: (tools) => Promise.all([tools.send(sign(tools), true), tools.send(sign(tools))]),
  },
]
