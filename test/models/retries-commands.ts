/** Requests sent once, repeated, and concurrently with duplicates; each is compared with the model. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answered, Client, TestWorkspace } from '../support/boot.ts'
import { command } from '../support/play-model.ts'
import { whenAllowed } from '../support/when-allowed.ts'
import {
  ASHA,
  carryOut,
  DAY_MS,
  hear,
  isRemembered,
  type Outcome,
  REQUESTS,
  type Request,
  type RetriesModel,
  recall,
  SENT,
} from './retries-model.ts'

/** A shop and two of its API keys. */
export type Real = { shop: TestWorkspace; clients: [Client, Client] }

const request = fc.oneof(
  fc.constantFrom(...REQUESTS),
  fc.constantFrom<Request>('capture Asha', 'capture Asha, spaced', 'rate Asha 3', 'write to Asha'),
)
const client = fc.constantFrom(0, 0, 1)
const key = fc.constantFrom('k1', 'k1', 'k2')

const send = (
  { clients }: Real,
  caller: number,
  request: Request,
  idempotencyKey?: string,
): Promise<Answered> => {
  const [method, path, body] = SENT[request]
  const options = idempotencyKey === undefined ? {} : { idempotencyKey }
  return whenAllowed(() => clients[caller]!.call(method, path, body, options))
}

const isReplay = (answer: Answered): boolean => answer.headers['idempotent-replayed'] === 'true'
const isRunning = (answer: Answered): boolean => answer.body.error === 'idempotency_key_in_progress'
const isReused = (answer: Answered): boolean => answer.body.error === 'idempotency_key_reused'

function compareFresh(answer: Answered, outcome: Outcome): void {
  expect([answer.status, answer.body.error, isReplay(answer)], answer.text).toEqual([
    outcome.status,
    outcome.error,
    false,
  ])
  if (outcome.captureCount) expect(answer.body.lead.captureCount).toBe(outcome.captureCount)
}

/** Runs `request` in the model, compares, and stores the answer. */
function compareAndStore(model: RetriesModel, place: string, request: Request, answer: Answered): Outcome {
  const outcome = carryOut(model, request)
  compareFresh(answer, outcome)
  // Stored from the time of the answer, because the request itself may have moved the clock.
  if (isRemembered(outcome))
    model.remembered.set(place, { request, status: answer.status, text: answer.text, storedAt: model.now })
  return outcome
}

/** Compares the answer to a request with a key with the model. */
function compare(model: RetriesModel, place: string, request: Request, answer: Answered): void {
  const before = recall(model, place)
  if (!before) compareAndStore(model, place, request, answer)
  else if (before.request !== request)
    expect([answer.status, answer.body.error]).toEqual([422, 'idempotency_key_reused'])
  else expect([answer.status, answer.text, isReplay(answer)]).toEqual([before.status, before.text, true])
}

export const commands = [
  command<{ caller: number; request: Request }, RetriesModel, Real>(
    'without a key',
    fc.record({ caller: client, request }),
    async (model, real, { caller, request }) => {
      const answer = await send(real, caller, request)
      compareFresh(answer, carryOut(model, request))
    },
  ),
  ...[1, 2, 3].map((copy) =>
    command<{ caller: number; key: string; request: Request }, RetriesModel, Real>(
      copy === 1 ? 'with a key' : `with a key (${copy})`,
      fc.record({ caller: client, key, request }),
      async (model, real, { caller, key, request }) =>
        compare(model, `${caller} ${key}`, request, await send(real, caller, request, key)),
    ),
  ),
  command<{ caller: number; key: string; request: Request }, RetriesModel, Real>(
    'four concurrent duplicates with a key',
    fc.record({ caller: client, key, request }),
    async (model, real, { caller, key, request }) => {
      const place = `${caller} ${key}`
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(real, caller, request, key)))
      // Requests that arrive while the first runs are told to try again. Of the others, one is carried out,
      // and the rest are replays.
      const others = answers
        .filter((answer) => !isRunning(answer))
        .toSorted((a, b) => Number(isReplay(a)) - Number(isReplay(b)))
      expect(others.length).toBeGreaterThan(0)
      for (const answer of others) compare(model, place, request, answer)
    },
  ),
  command<{ caller: number; key: string }, RetriesModel, Real>(
    'two different requests at once with one key',
    fc.record({ caller: client, key }),
    async (model, real, { caller, key }) => {
      const place = `${caller} ${key}`
      const requests: Request[] = ['capture Asha', 'capture Asha, spaced']
      const answers = await Promise.all(requests.map((request) => send(real, caller, request, key)))
      const first = answers.findIndex((answer) => !isRunning(answer) && !isReused(answer))
      const order = first === 1 ? [1, 0] : [0, 1]
      for (const i of order) if (!isRunning(answers[i]!)) compare(model, place, requests[i]!, answers[i]!)
      expect(answers.every(isRunning)).toBe(false)
    },
  ),
  command<string, RetriesModel, Real>(
    'Asha writes',
    fc.constantFrom('STOP', 'START', 'Hello'),
    async (model, { shop }, text) => {
      expect((await shop.post('/sandbox/inbound', { from: ASHA, text })).status).toBe(202)
      hear(model, text)
    },
  ),
  command<number, RetriesModel, Real>(
    'time passes (days)',
    fc.constantFrom(0.5, 1),
    async (model, { shop }, days) => {
      model.now += days * DAY_MS
      expect((await shop.advance((days * DAY_MS) / 1_000)).getTime()).toBe(model.now)
    },
  ),
]
