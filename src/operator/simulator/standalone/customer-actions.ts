import { z } from 'zod'
import { later, SECOND_MS } from '../../../core/clock.ts'
import type { SimulatedNumber } from '../store.ts'
import { newChannelMessageId, unixSeconds, valueHead } from '../webhook-values.ts'
import { type ActionContext, shownOf, Who } from './customer.ts'
import type { Customer } from './customers.ts'

/** A customer's call: missed unless it is answered for some seconds. */
export const CallInput = z.strictObject({
  from: Who,
  number: z.string().optional(),
  id: z.string().min(1).max(500).optional(),
  answeredSeconds: z.int().min(1).optional(),
})
export type CallInput = z.infer<typeof CallInput>

/** A customer chooses whether to receive marketing. */
export const PreferenceInput = z.strictObject({
  from: Who,
  number: z.string().optional(),
  value: z.enum(['stop', 'resume']),
})
export type PreferenceInput = z.infer<typeof PreferenceInput>

/** A customer changes identity: at their own request, or by moving to another number. */
export const CustomerPatch = z.strictObject({
  from: Who,
  number: z.string().optional(),
  name: z.string().optional(),
  username: z.string().nullable().optional(),
  hidden: z.boolean().optional(),
  rotate: z.literal(true).optional(),
  phone: z
    .string()
    .regex(/^\+?\d{5,15}$/)
    .optional(),
})
export type CustomerPatch = z.infer<typeof CustomerPatch>

/** A customer calls: the network reports the start and the end of the call. */
export async function simulateCall(
  context: ActionContext,
  number: SimulatedNumber,
  input: CallInput,
): Promise<{ id: string }> {
  const { waId, userId, profileName, username } = shownOf(context, context.customers.findOrCreate(input.from))
  const id = input.id ?? `wacid.${newChannelMessageId().slice('wamid.'.length)}`
  const startedAt = unixSeconds(context.clock.now())
  const ended = later(context.clock.now(), (input.answeredSeconds ?? 0) * SECOND_MS)
  const about = {
    id,
    from: waId,
    from_user_id: userId,
    to: number.displayNumber,
    direction: 'USER_INITIATED',
  }
  const answered = input.answeredSeconds
    ? {
        status: 'COMPLETED',
        start_time: startedAt,
        end_time: unixSeconds(ended),
        duration: input.answeredSeconds,
      }
    : { status: 'FAILED' }
  const events = [
    { ...about, event: 'connect', timestamp: startedAt, session: { sdp_type: 'offer', sdp: 'v=0' } },
    { ...about, event: 'terminate', timestamp: unixSeconds(ended), ...answered },
  ]
  const contacts = [{ profile: { name: profileName, username }, wa_id: waId, user_id: userId }]
  for (const event of events)
    await context.store.deliver(number, { ...valueHead(number), contacts, calls: [event] }, 'calls')
  return { id }
}

/**
 * A customer stops or resumes marketing in the app; after a stop, marketing templates to them fail with
 * 131050.
 */
export async function reportPreference(
  context: ActionContext,
  number: SimulatedNumber,
  { from, value }: PreferenceInput,
): Promise<object> {
  const customer = context.customers.findOrCreate(from)
  customer.marketingStopped = value === 'stop'
  const { waId, userId, profileName, username } = shownOf(context, customer)
  const preference = {
    wa_id: waId,
    user_id: userId,
    detail: `User requested to ${value} marketing messages`,
    category: 'marketing_messages',
    value,
    timestamp: Number(unixSeconds(context.clock.now())),
  }
  const contacts = [{ profile: { name: profileName, username }, wa_id: waId, user_id: userId }]
  const body = { ...valueHead(number), contacts, user_preferences: [preference] }
  await context.store.deliver(number, body, 'user_preferences')
  return {}
}

/**
 * A customer changes name, hides their number, gets another user id, or moves to another number; the network
 * reports the last two.
 */
export async function changeCustomer(
  context: ActionContext,
  number: SimulatedNumber,
  input: CustomerPatch,
): Promise<Customer> {
  const { customers } = context
  const customer = customers.findOrCreate(input.from)
  customer.name = input.name ?? customer.name
  customer.username = input.username === undefined ? customer.username : input.username
  customer.hidden = input.hidden ?? customer.hidden
  if (input.phone !== undefined) {
    const before = customers.move(customer, input.phone)
    await reportSystemMessage(context, number, before.phone ?? undefined, {
      type: 'user_changed_number',
      body: `User changed from ${before.phone ?? ''} to ${customer.phone ?? ''}`,
      wa_id: customer.phone ?? undefined,
      user_id: context.userIds() ? customer.userId : undefined,
    })
  }
  if (input.rotate) {
    const previous = customers.rotate(customer)
    const { waId, profileName } = shownOf(context, customer)
    const update = {
      wa_id: waId,
      detail: `User id for ${profileName ?? 'a user'} has been updated.`,
      user_id: { previous, current: customer.userId },
      timestamp: unixSeconds(context.clock.now()),
    }
    const contacts = [{ profile: { name: profileName }, wa_id: waId }]
    const body = { ...valueHead(number), contacts, user_id_update: [update] }
    await context.store.deliver(number, body, 'user_id_update')
    await reportSystemMessage(context, number, waId, {
      type: 'user_changed_user_id',
      body: 'User id changed',
      wa_id: waId,
      user_id: customer.userId,
    })
  }
  return customer
}

// A notice arrives as a message without contacts.
function reportSystemMessage(
  { store, clock }: ActionContext,
  number: SimulatedNumber,
  from: string | undefined,
  system: object,
): Promise<void> {
  const notice = {
    from,
    id: newChannelMessageId(),
    timestamp: unixSeconds(clock.now()),
    type: 'system',
    system,
  }
  return store.deliver(number, { ...valueHead(number), messages: [notice] })
}
