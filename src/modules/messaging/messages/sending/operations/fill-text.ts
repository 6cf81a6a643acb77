/** Fills placeholders in texts: `{{contact.name}}`. */
import { fillPlaces } from '../../../../../core/values/fill-places.ts'

const PLACE = /\{\{\s*([\p{L}\p{N}_.-]{1,120})\s*\}\}/gu

/** Returns the text with its placeholders filled; unknown ones become empty. Cuts it to `max` characters. */
export const fillText = (
  text: string,
  lookUp: (name: string) => string | null | undefined,
  max: number,
): string => fillPlaces(text, PLACE, (name) => lookUp(name) ?? '', max)
