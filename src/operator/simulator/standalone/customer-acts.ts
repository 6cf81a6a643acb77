import { z } from 'zod'
import { later, SECOND_MS } from '../../../core/clock.ts'
import type { SimulatedNumber } from '../store.ts'
import { newChannelMessageId, unixSeconds, valueHead } from '../webhook-values.ts'
import { type Acting, shownOf, Who } from './customer.ts'
import type { Customer } from './customers.ts'

/** A customer's call: missed unless it is answered for some seconds. */
export const Calling = z.strictObject({
  from: Who,
  number: z.string().optional(),
  id: z.string().min(1).max(500).optional(),
  answeredSeconds: z.int().min(1).optional(),
})
export type Calling = z.infer<typeof Calling>

/** A customer chooses whether to receive marketing. */
export const Preferring = z.strictObject({
  from: Who,
  number: z.string().optional(),
  value: z.enum(['stop', 'resume']),
})
export type Preferring = z.infer<typeof Preferring>

/** A customer changes identity: at their own request, or by moving to another number. */
export const Changing = z.strictObject({
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
export type Changing = z.infer<typeof Changing>

/** A customer calls: the network reports the start and the end of the call. */
export async function call(acting: Acting, number: SimulatedNumber, input: Calling): Promise<{ id: string }> {
  const { waId, userId, profileName, username } = shownOf(acting, acting.customers.meet(input.from))
  const id = input.id ?? `wacid.${newChannelMessageId().slice('wamid.'.length)}`
  const startedAt = unixSeconds(acting.clock.now())
  const ended = later(acting.clock.now(), (input.answeredSeconds ?? 0) * SECOND_MS)
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
    await acting.store.deliver(number, { ...valueHead(number), contacts, calls: [event] }, 'calls')
  return { id }
}

/**
 * A customer stops or resumes marketing in the app; after a stop, marketing templates to them fail with
 * 131050.
 */
export async function prefer(
  acting: Acting,
  number: SimulatedNumber,
  { from, value }: Preferring,
): Promise<object> {
  const customer = acting.customers.meet(from)
  customer.marketingStopped = value === 'stop'
  const { waId, userId, profileName, username } = shownOf(acting, customer)
  const preference = {
    wa_id: waId,
    user_id: userId,
    detail: `User requested to ${value} marketing messages`,
    category: 'marketing_messages',
    value,
    timestamp: Number(unixSeconds(acting.clock.now())),
  }
  const contacts = [{ profile: { name: profileName, username }, wa_id: waId, user_id: userId }]
  const body = { ...valueHead(number), contacts, user_preferences: [preference] }
  await acting.store.deliver(number, body, 'user_preferences')
  return {}
}

/**
 * A customer changes name, hides their number, gets another user id, or moves to another number; the network
 * reports the last two.
 */
export async function change(acting: Acting, number: SimulatedNumber, input: Changing): Promise<Customer> {
  const { customers } = acting
  const customer = customers.meet(input.from)
  customer.name = input.name ?? customer.name
  customer.username = input.username === undefined ? customer.username : input.username
  customer.hidden = input.hidden ?? customer.hidden
  if (input.phone !== undefined) {
    const before = customers.move(customer, input.phone)
    await reportSystemMessage(acting, number, before.phone ?? undefined, {
      type: 'user_changed_number',
      body: `User changed from ${before.phone ?? ''} to ${customer.phone ?? ''}`,
      wa_id: customer.phone ?? undefined,
      user_id: acting.userIds() ? customer.userId : undefined,
    })
  }
  if (input.rotate) {
    const previous = customers.rotate(customer)
    const { waId, profileName } = shownOf(acting, customer)
    const update = {
      wa_id: waId,
      detail: `User id for ${profileName ?? 'a user'} has been updated.`,
      user_id: { previous, current: customer.userId },
      timestamp: unixSeconds(acting.clock.now()),
    }
    const contacts = [{ profile: { name: profileName }, wa_id: waId }]
    const body = { ...valueHead(number), contacts, user_id_update: [update] }
    await acting.store.deliver(number, body, 'user_id_update')
    await reportSystemMessage(acting, number, waId, {
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
  { store, clock }: Acting,
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
