/** What was typed into a field of a number; undefined where it was left empty. */
export const numberOrNothing = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text)
