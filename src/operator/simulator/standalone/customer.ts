import { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import type { TimerStore } from '../timer-store.ts'
import type { Customer, Customers } from './customers.ts'

/** The acting customer: a number in digits with or without `+`, or a user id. */
export const Who = z
  .string()
  .regex(/^(\+?\d{5,15}|[A-Z]{2}\.[A-Za-z0-9.]{1,140})$/, 'must be a number in digits, or a user id')

/** The parts of the simulator that customers' actions use. */
export type ActionContext = { store: TimerStore; customers: Customers; userIds: () => boolean; clock: Clock }

/** Returns the data of a customer that a business sees. */
export function shownOf({ userIds }: ActionContext, { phone, userId, username, name, hidden }: Customer) {
  return {
    waId: hidden ? undefined : (phone ?? undefined),
    userId: hidden || userIds() ? userId : undefined,
    username: username ?? undefined,
    profileName: name ?? undefined,
  }
}
