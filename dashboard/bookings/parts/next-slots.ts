import type { BookingSlot } from '../../../sdk/api.ts'
import { ApiError } from '../../api/errors.ts'

const slotsIn = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'conflict' ? error.details.nextSlots : undefined

/** Returns whether the server refused a time because it is not free. */
export const isTimeRefused = (error: unknown): boolean => Array.isArray(slotsIn(error))

/** Returns the times that the server offers instead of a taken time; undefined for other errors. */
export const nextSlotsOf = (error: unknown): BookingSlot[] | undefined => {
  const nextSlots = slotsIn(error)
  return Array.isArray(nextSlots) && nextSlots.length > 0 ? (nextSlots as BookingSlot[]) : undefined
}
