import { z } from 'zod'
import { type Clock, later, SECOND_MS } from '../../../core/clock.ts'
import { RESTRICTION_TYPES, type Restriction } from '../restrictions.ts'
import { findObject } from '../samples.ts'
import { type NumberState, numberInGoodHealth, type SimulatedNumber, type SimulatedObject } from '../store.ts'
import { changeTemplate, type TemplateChange } from '../stored-templates.ts'
import type { TimerStore } from '../timer-store.ts'
import { unixSeconds } from '../webhook-values.ts'

const RESTRICTION_SECONDS = 7 * 86_400
const MAX_RESTRICTION_SECONDS = 365 * 86_400

const Pin = z.string().regex(/^\d{6}$/)

/** Changes the operator's state of a number; each change is reported in the operator's format. */
export const NumberPatch = z.strictObject({
  status: z
    .enum(['CONNECTED', 'PENDING', 'FLAGGED', 'RESTRICTED', 'RATE_LIMITED', 'BANNED', 'DISCONNECTED'])
    .optional(),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).optional(),
  throughput: z.enum(['STANDARD', 'HIGH', 'NOT_APPLICABLE']).optional(),
  messagingLimit: z
    .string()
    .regex(/^TIER_\w+$/)
    .optional(),
  verifiedName: z.string().min(1).max(200).optional(),
  username: z.string().nullable().optional(),
  /** Every call is answered with 190 until this ends or the number gets another token. */
  tokenExpired: z.boolean().optional(),
  /** New restrictions of its account, each for seven days by default; an empty list lifts them. */
  restrictions: z
    .array(
      z.strictObject({
        type: z.enum(RESTRICTION_TYPES),
        seconds: z.number().int().min(1).max(MAX_RESTRICTION_SECONDS).default(RESTRICTION_SECONDS),
      }),
    )
    .max(10)
    .optional(),
  /** The number's new token. */
  token: z.string().min(1).optional(),
  /** Its two-step PIN, which registrations must repeat. */
  pin: Pin.optional(),
})
export type NumberPatch = z.infer<typeof NumberPatch>

/** Adds a number. */
export const Joining = z.strictObject({
  operatorId: z.string().regex(/^\d{1,20}$/),
  accountId: z.string().regex(/^\d{1,20}$/),
  token: z.string().min(1),
  displayNumber: z.string().regex(/^\+?\d{5,15}$/),
  inPhoneApp: z.boolean().optional(),
  pin: Pin.optional(),
})

/**
 * Changes the operator's rating of a template. An impending category is a notice: the template does not
 * change yet.
 */
export const TemplateReview = z.strictObject({
  status: z
    .enum(['APPROVED', 'REJECTED', 'PENDING', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'REINSTATED'])
    .optional(),
  reason: z.string().max(100).optional(),
  category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']).optional(),
  impendingCategory: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']).optional(),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).optional(),
})
export type TemplateReview = z.infer<typeof TemplateReview>

/** Any update, in the operator's format. */
export const Reporting = z.strictObject({
  number: z.string().optional(),
  field: z.string().min(1).max(100),
  value: z.unknown(),
})

type Acting = { store: TimerStore; clock: Clock }

/** Changes a number and reports it. */
export async function changeNumber(
  { store, clock }: Acting,
  number: SimulatedNumber,
  { token, pin, restrictions, ...patch }: NumberPatch,
): Promise<SimulatedNumber> {
  const before = number.state ?? numberInGoodHealth
  if (token !== undefined) number.token = token
  if (pin !== undefined) number.pin = pin
  await store.setNumberState?.(number, { ...patch, ...(token === undefined ? {} : { tokenExpired: false }) })
  const restricted = restrictionsOf(patch.status, restrictions, clock.now())
  if (restricted)
    for (const accountNumber of await store.listNumbers(number.accountId))
      await store.setNumberState?.(accountNumber, { restrictions: restricted })
  const current = number.state ?? numberInGoodHealth
  for (const { field, value } of changeNotices(before, current, number, clock.now()))
    await store.deliver(number, value, field)
  return number
}

/** Returns the new restrictions; undefined: unchanged. A restricted number may only reply by default. */
function restrictionsOf(
  status: NumberState['status'] | undefined,
  restrictions: NumberPatch['restrictions'],
  now: Date,
): Restriction[] | undefined {
  const list =
    restrictions ??
    (status === 'RESTRICTED'
      ? [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' as const, seconds: RESTRICTION_SECONDS }]
      : status && [])
  return list?.map(({ type, seconds }) => ({ type, until: later(now, seconds * SECOND_MS) }))
}

function changeNotices(before: NumberState, current: NumberState, number: SimulatedNumber, now: Date) {
  const notices: { field: string; value: object }[] = []
  const account = (value: object) => notices.push({ field: 'account_update', value })
  const quality = (event: string) =>
    notices.push({
      field: 'phone_number_quality_update',
      value: {
        display_phone_number: number.displayNumber,
        event,
        current_limit: current.messagingLimit,
        old_limit: before.messagingLimit,
      },
    })
  if (before.status !== current.status) {
    if (current.status === 'BANNED') account(banned('DISABLE', now))
    if (before.status === 'BANNED') account(banned('REINSTATE', now))
    if (current.status === 'FLAGGED') quality('FLAGGED')
    if (before.status === 'FLAGGED') quality('UNFLAGGED')
  }
  if (current.restrictions !== before.restrictions && current.restrictions.length > 0)
    account(restricted(current.restrictions))
  if (current.throughput === 'HIGH' && before.throughput !== 'HIGH') quality('THROUGHPUT_UPGRADE')
  if (before.messagingLimit !== current.messagingLimit) quality('UPGRADE')
  return notices
}

const banned = (state: 'DISABLE' | 'REINSTATE', now: Date) => ({
  event: 'DISABLED_UPDATE',
  ban_info: { waba_ban_state: state, waba_ban_date: now.toISOString().slice(0, 10) },
})

const restricted = (restrictions: Restriction[]) => ({
  event: 'ACCOUNT_RESTRICTION',
  restriction_info: restrictions.map(({ type, until }) => ({
    restriction_type: type,
    expiration: Number(unixSeconds(until)),
  })),
})

/** Changes a template as its reviewers would, and reports each change. */
export async function reviewTemplate(
  { store }: Acting,
  number: SimulatedNumber,
  id: string,
  { status, reason, category, impendingCategory, quality }: TemplateReview,
): Promise<Record<string, unknown>> {
  const changes: TemplateChange[] = [
    ...(status
      ? [{ event: status, reason: reason ?? (status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE') }]
      : []),
    ...(category ? [{ category }] : []),
    ...(impendingCategory ? [{ category: impendingCategory, impending: true }] : []),
    ...(quality ? [{ quality }] : []),
  ]
  for (const change of changes)
    await changeTemplate(store, number, (await findObject(store, id)) as SimulatedObject, change)
  return (await store.find(id))?.value ?? {}
}
