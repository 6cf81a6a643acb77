/** Texts with places to fill: `{{contact.name}}`. */
import { fillPlaces } from '../../../../core/fill-places.ts'

const PLACE = /\{\{\s*([\p{L}\p{N}_.-]{1,120})\s*\}\}/gu

/** The text with each place filled; one that nothing is known for is left empty. Cut to `max` characters. */
export const fillText = (
  text: string,
  known: (name: string) => string | null | undefined,
  max: number,
): string => fillPlaces(text, PLACE, (name) => known(name) ?? '', max)
