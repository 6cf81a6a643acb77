/** Texts with places to fill: `{{contact.name}}`. */
import { cutText } from '../../../../core/cut-text.ts'

const PLACE = /\{\{\s*([\p{L}\p{N}_.-]{1,120})\s*\}\}/gu

/** The text with each place filled; one that nothing is known for is left empty. Cut to `max` characters. */
export function fillText(
  text: string,
  known: (name: string) => string | null | undefined,
  max: number,
): string {
  const filled = text.replace(PLACE, (_, name: string) => known(name) ?? '')
  return filled.length <= max ? filled : cutText(filled, max)
}
