/** Returns the number in a field; undefined if it is empty. */
export const numberOrNothing = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text)
