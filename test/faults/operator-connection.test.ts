/**
 * The connection between the service and the operator is cut anywhere, slow, or silent (docs/reliability.md
 * row 2).
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCloudOperator } from '../../src/operator/cloud/operator.ts'
import type { Handover } from '../../src/operator/port.ts'
import { recordFigures, thorough, timeFor } from '../support/fault-run.ts'
import { acceptIn, answerIn, FORMS, standInOperator } from '../support/stand-in-operator.ts'
import { type Cut, ENDINGS, tcpProxy } from '../support/tcp-proxy.ts'

/** Long enough for an answer on a crowded machine. */
const SILENCE_MS = 1_000
const AT_ONCE = 60

let operator: Awaited<ReturnType<typeof standInOperator>>
let proxy: Awaited<ReturnType<typeof tcpProxy>>
beforeAll(async () => {
  operator = await standInOperator()
  proxy = await tcpProxy({ reach: () => connect(operator.port, '127.0.0.1') })
})
afterAll(async () => {
  await proxy?.close()
  await operator?.close()
})

type Case = { name: string; cut: Cut; refused: boolean; form: (typeof FORMS)[number] }

/** Names of one length, so that a number of bytes is the same position in each call. */
const nameCases = (cases: Omit<Case, 'name'>[]): Case[] =>
  cases.map((testCase, i) => ({ ...testCase, name: `case-${String(i).padStart(5, '0')}-` }))

test(
  'a call cut after any number of bytes is posted at most once, and counts as unsent or refused only if it is',
  async () => {
    const client = createCloudOperator({ timeoutMs: SILENCE_MS, connections: AT_ONCE })
    const send = (callbackData: string): Promise<Handover> =>
      client.send(
        {
          id: 'number-1',
          operator: 'cloud',
          operatorId: '106',
          accountId: '102',
          token: 'token-1',
          baseUrl: `http://127.0.0.1:${proxy.port()}`,
        },
        {
          callbackData,
          to: '+919812345678',
          recipient: null,
          type: 'text',
          content: { body: 'Hi' },
          replyTo: null,
        },
      )
    // About the size of a call with its longest answer; a cut after more bytes has no effect.
    const [request, answer] = [347, 262]
    const places: Omit<Cut, 'ending'>[] = [
      ...Array.from({ length: request }, (_, after) => ({ part: 'request' as const, after })),
      ...Array.from({ length: answer }, (_, after) => ({ part: 'answer' as const, after })),
    ]
    const cases = nameCases(
      ENDINGS.flatMap((ending) =>
        FORMS.flatMap((form) =>
          [false, true].flatMap((refused) =>
            places
              .filter(({ part }, i) => {
                // The result for a request does not depend on its answer.
                if (part === 'request' && (refused || form !== 'in pieces')) return false
                const breaks = ending === 'close' || ending === 'reset'
                const step = thorough ? (breaks ? 1 : 7) : breaks ? 7 : 37
                return (i + FORMS.indexOf(form)) % step === 0
              })
              .map((place) => ({ cut: { ...place, ending }, refused, form })),
          ),
        ),
      ),
    )
    const byName = new Map(cases.map((testCase) => [testCase.name, testCase]))
    const caseIn = (text: string): Case | undefined => byName.get(/case-\d{5}-/.exec(text)?.[0] ?? '')
    proxy.corrupt((bytes) => caseIn(bytes.toString('latin1'))?.cut)
    operator.answer((handover) => {
      const { refused, form } = caseIn(handover.body.biz_opaque_callback_data)!
      if (refused) answerIn(form, handover, 429, { error: { code: 130429, message: 'Rate limit hit' } })
      else acceptIn(form)(handover)
    })

    let doubled = 0
    const ends = new Map<Handover['kind'], number>()
    for (let i = 0; i < cases.length; i += AT_ONCE) {
      const batch = cases.slice(i, i + AT_ONCE)
      const handovers = await Promise.all(batch.map(({ name }) => send(name)))
      for (const [index, testCase] of batch.entries()) {
        const { kind } = handovers[index]!
        ends.set(kind, (ends.get(kind) ?? 0) + 1)
        const posts = operator.taken.filter(
          (handover) => handover.body.biz_opaque_callback_data === testCase.name,
        ).length
        const reported = JSON.stringify({ ...testCase, ...handovers[index], posts })
        doubled += Math.max(0, posts - 1)
        expect(posts, reported).toBeLessThanOrEqual(1)
        if (kind === 'accepted') expect([posts, testCase.refused], reported).toEqual([1, false])
        if (kind === 'refused') expect(testCase.refused, reported).toBe(true)
        if (kind === 'not_sent') expect(posts, reported).toBe(0)
      }
      operator.taken.length = 0
    }
    await client.close()
    // Some positions are after the end of the data, so nothing was cut there.
    for (const kind of ['accepted', 'refused', 'unknown'] as const) expect(ends.get(kind)).toBeGreaterThan(0)
    expect(proxy.cuts()).toBeGreaterThan(cases.length / 2)
    recordFigures({
      rows: '2',
      fault: 'calls to the operator cut after each number of bytes',
      rounds: cases.length,
      accepted: ends.get('accepted')!,
      doubled,
      note: `${proxy.cuts()} cut; ${[...ends].map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
    })
  },
  timeFor(120_000),
)
