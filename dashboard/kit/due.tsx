/** Reads and writes times of `datetime-local` inputs in the device's zone. */
const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns a time as the value of a `datetime-local` input. */
export function toLocalInput(time: string | number): string {
  const date = new Date(time)
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** Returns the value of a `datetime-local` input in the API's format; null if empty. */
export const fromLocalInput = (text: string): string | null => (text ? new Date(text).toISOString() : null)
