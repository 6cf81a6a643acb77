import { describe, expect, test } from 'vitest'
import {
  refuseCooling,
  refuseFollowUp,
  refuseFollowUpNotice,
  refuseNotice,
  refuseNumber,
  refuseRoom,
  refuseUnconfirmed,
} from './judge-campaign.ts'

const NOW = new Date('2026-03-10T10:00:00Z')
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

describe('the number', () => {
  type Sender = Parameters<typeof refuseNumber>[0]
  const number = (more: Partial<Sender> = {}): Sender => ({
    number: '+912212345678',
    state: 'active',
    stateReason: null,
    businessInitiatedBlockedUntil: null,
    customerInitiatedBlockedUntil: null,
    ...more,
  })
  test.each<[string, Partial<Sender>, string | undefined, RegExp?]>([
    ['active', {}, undefined],
    ['banned', { state: 'number_banned' }, 'number_banned', /its state is number_banned/],
    ['restricted', { businessInitiatedBlockedUntil: hoursLater(1) }, 'sending_blocked', /can still answer/],
    ['restricted for answers only', { customerInitiatedBlockedUntil: hoursLater(1) }, undefined],
    ['no longer restricted', { businessInitiatedBlockedUntil: NOW }, undefined],
    ['unlinked', { state: 'unlinked' }, 'sending_blocked', /its state is unlinked/],
    [
      'blocked with a reason',
      { state: 'blocked', stateReason: 'Pay first.' },
      'sending_blocked',
      /^Pay first\.$/,
    ],
  ])('that is %s', (_title, more, code, message) => {
    const refusal = refuseNumber(number(more), NOW)
    expect(refusal?.code).toBe(code)
    if (message) expect(refusal?.message).toMatch(message)
  })
})

test.each([
  [{ willSend: 5 }, 5, false, undefined],
  [{ willSend: 0 }, 0, false, undefined],
  [{ willSend: 6 }, 5, false, /needs 6 messages.*has 5 left/],
  [{ willSend: 1 }, 0, true, /The wallet is empty/],
])('for %j messages with room for %i (used balance: %s)', (counts, room, walletEmpty, message) => {
  const refusal = refuseRoom({ walletEmpty }, counts, room)
  expect(refusal?.code).toBe(message && 'quota_exceeded')
  if (message) expect(refusal?.message).toMatch(message)
})

test.each([
  ['MARKETING', 3, undefined],
  ['UTILITY', 0, undefined],
  ['UTILITY', 1, /^1 recipient never .* UTILITY/],
  ['AUTHENTICATION', 3, /^3 recipients never .* AUTHENTICATION/],
] as const)('a %s template to %i new recipients', (category, newRecipients, message) => {
  const refusal = refuseNotice({ category }, { newRecipients })
  expect(refusal?.code).toBe(message && 'notice_to_new_recipients')
  if (message) expect(refusal?.message).toMatch(message)
})

test.each([
  ['MARKETING', 'MARKETING', undefined],
  ['UTILITY', 'UTILITY', undefined],
  ['UTILITY', undefined, undefined],
  ['MARKETING', 'UTILITY', undefined],
  ['UTILITY', 'MARKETING', 'follow_up_notice_template'],
] as const)('a %s template after a campaign of %s', (category, leaderCategory, code) => {
  const leader = leaderCategory && { category: leaderCategory }
  expect(refuseFollowUpNotice({ category }, leader)?.code).toBe(code)
})

test.each([
  [true, 3, undefined],
  [undefined, 0, undefined],
  [false, 3, 'new_recipients_unconfirmed'],
  [undefined, 1, 'new_recipients_unconfirmed'],
])('with the confirmation %s for %i new recipients', (confirmNewRecipients, newRecipients, code) => {
  expect(refuseUnconfirmed({ confirmNewRecipients }, { newRecipients })?.code).toBe(code)
})

test('new recipients in a cool-off are counted', () => {
  expect(refuseCooling({ coolOffDays: 7 }, 0)).toBeUndefined()
  expect(refuseCooling({ coolOffDays: 7 }, 2)).toMatchObject({
    code: 'new_recipient_cool_off',
    message: expect.stringMatching(/^2 recipients .* within 7 days/),
  })
})

describe('a follow-up', () => {
  type Leader = NonNullable<Parameters<typeof refuseFollowUp>[2]>
  const leader = (more: Partial<Leader> = {}): Leader => ({
    category: 'MARKETING',
    startedAt: hoursLater(-2),
    completedAt: NOW,
    cancelledAt: null,
    ...more,
  })
  const judge = (plan: { knownOnly?: boolean; startsAt: Date }, of: Leader | undefined) =>
    refuseFollowUp({ followUpHours: 24 }, plan, of)

  test.each<[string, { knownOnly?: boolean; startsAt: Date }, Leader | undefined]>([
    ['of no campaign', { startsAt: NOW }, undefined],
    ['to known recipients, at any time', { startsAt: NOW, knownOnly: true }, leader({ completedAt: null })],
    ['late enough', { startsAt: hoursLater(24) }, leader()],
    [
      'late enough after a cancellation',
      { startsAt: hoursLater(24) },
      leader({ completedAt: null, cancelledAt: NOW }),
    ],
  ])('is accepted: %s', (_title, plan, of) => {
    expect(judge(plan, of)).toBeUndefined()
  })

  test.each<[string, Date, Leader, RegExp, object]>([
    ['too soon', hoursLater(23), leader(), /at least 24 hours/, { earliestAt: hoursLater(24).toISOString() }],
    ['of a running campaign', hoursLater(99), leader({ completedAt: null }), /hasn't finished/, {}],
    [
      'of a campaign that never started',
      hoursLater(99),
      leader({ startedAt: null, completedAt: null, cancelledAt: NOW }),
      /canceled before it started/,
      {},
    ],
  ])('comes too soon: %s', (_title, startsAt, of, message, details) => {
    expect(judge({ startsAt }, of)).toMatchObject({
      code: 'follow_up_too_soon',
      message: expect.stringMatching(message),
      details,
    })
  })
})
