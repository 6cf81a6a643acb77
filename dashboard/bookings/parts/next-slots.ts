import type { BookingSlot } from '../../../sdk/api.ts'
import { ApiError } from '../../api/errors.ts'

/** Returns the times that the server offers instead of a taken time; undefined for other errors. */
export const nextSlotsOf = (error: unknown): BookingSlot[] | undefined => {
  const nextSlots =
    error instanceof ApiError && error.code === 'conflict' ? error.details.nextSlots : undefined
  return Array.isArray(nextSlots) && nextSlots.length > 0 ? (nextSlots as BookingSlot[]) : undefined
}
