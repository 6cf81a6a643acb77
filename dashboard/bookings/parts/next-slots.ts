import type { BookingSlot } from '../../../sdk/api.ts'
import { ApiError } from '../../api/errors.ts'

/** What the server offers in the place of a time that is taken; undefined: it was refused for another reason. */
export const nextSlotsOf = (error: unknown): BookingSlot[] | undefined => {
  const nextSlots =
    error instanceof ApiError && error.code === 'conflict' ? error.details.nextSlots : undefined
  return Array.isArray(nextSlots) && nextSlots.length > 0 ? (nextSlots as BookingSlot[]) : undefined
}
