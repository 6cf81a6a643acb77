/** The filled texts of a template, for code that fills or checks one. */

import type { Issue } from '../../core/errors.ts'
import { isLonger } from '../../core/values/cut-text.ts'
import { BODY_MAX, LONE_BODY_MAX } from './parameter-text.ts'
import type { TemplateParts, TextPart } from './parts.ts'
import { fillVariables } from './variables.ts'

/** Collects faults while a template is filled. */
export type Faults = { issues: Issue[]; mediaRequired: Issue[] }

/** Returns the maximum characters of a filled body. */
export const bodyMaxOf = ({ header, footer, buttons, cards }: TemplateParts): number =>
  !header && footer === undefined && buttons.length === 0 && cards.length === 0 ? LONE_BODY_MAX : BODY_MAX

/** Reports a filled text that is too long for its position. */
export function checkFilled(
  text: string,
  max: number,
  place: { path: string; faults: Faults; part: string },
): void {
  if (isLonger(text, max))
    place.faults.issues.push({
      path: place.path,
      message: `Must keep the filled ${place.part} to at most ${max} characters.`,
    })
}

/** Maximum characters of any filled text of a template. */
export const FILLED_MAX = LONE_BODY_MAX

/** Returns the text as the customer reads it, cut one character above the largest limit. */
export const filled = (part: TextPart, values: string[]): string =>
  fillVariables(part.text, (name) => values[part.variables.indexOf(name)], FILLED_MAX + 1)
