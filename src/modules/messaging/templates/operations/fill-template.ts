/**
 * Builds the components of a template send from the caller's values (spec 4.2, docs/formats.md section 6.3).
 */
import {
  bodyMaxOf,
  checkFilled,
  type Faults,
  filled,
} from '../../../../operator/template-components/filled-text.ts'
import { CODE_MAX } from '../../../../operator/template-components/parameter-text.ts'
import type { TemplateParts, TextPart } from '../../../../operator/template-components/parts.ts'
import type { Component } from '../queries/templates.ts'
import type { CardValues, TemplateSend } from '../send-schema.ts'
import { buttonComponents, codeButtons } from './fill-buttons.ts'
import { headerComponents } from './fill-header.ts'
import { textParameters, valuesFor } from './template-values.ts'

/** The context for filling, besides the template and the values. */
export type Filling = { now: Date; at: string; faults: Faults }

/** The components of a send, and the body as the customer reads it. */
export type Filled = { components: Component[]; text: string }

/** Fills a marketing or utility template. */
export function fillTemplate(parts: TemplateParts, values: TemplateSend, filling: Filling): Filled {
  const body = fillBody(parts, values, filling)
  return {
    components: [
      ...headerComponents(parts, values, filling),
      ...body.components,
      ...offerComponents(parts, values, filling),
      ...buttonComponents(parts, values, filling),
      ...carouselComponents(parts, values, filling),
    ],
    text: body.text,
  }
}

/**
 * Fills a verification template: its only value is the code, in the body and in the button (docs/formats.md
 * section 6.3).
 */
export function fillVerification(parts: TemplateParts, values: TemplateSend, filling: Filling): Filled {
  // The operator writes these texts; until the text is known, the body is only the code.
  const body: TextPart = parts.body?.variables.length === 1 ? parts.body : { text: '{{1}}', variables: ['1'] }
  const [code = ''] = valuesFor(body, values.variables ?? [], `${filling.at}.variables`, filling.faults)
  if (code.length > CODE_MAX)
    filling.faults.issues.push({
      path: `${filling.at}.variables[0]`,
      message: `A verification code can have at most ${CODE_MAX} characters.`,
    })
  return {
    components: [{ type: 'body', parameters: textParameters(body, [code]) }, ...codeButtons(parts, code)],
    text: filled(body, [code]),
  }
}

function fillBody(parts: TemplateParts, cardValues: CardValues, { at, faults }: Filling): Filled {
  const body = parts.body ?? { text: '', variables: [] }
  const path = `${at}.variables`
  const values = valuesFor(body, cardValues.variables ?? [], path, faults)
  const text = filled(body, values)
  checkFilled(text, bodyMaxOf(parts), { path, faults, part: 'body' })
  const components = values.length === 0 ? [] : [{ type: 'body', parameters: textParameters(body, values) }]
  return { components, text }
}

function offerComponents(parts: TemplateParts, values: TemplateSend, filling: Filling): Component[] {
  const path = `${filling.at}.offerExpiresAt`
  const { issues } = filling.faults
  if (!parts.expiringOffer) {
    if (values.offerExpiresAt !== undefined)
      issues.push({ path, message: 'Must be left out: the template has no limited-time offer that expires.' })
    return []
  }
  if (values.offerExpiresAt === undefined) {
    issues.push({ path, message: 'Required: the end of the limited-time offer.' })
    return []
  }
  const ends = values.offerExpiresAt.getTime()
  if (ends <= filling.now.getTime()) issues.push({ path, message: 'Must be in the future.' })
  return [
    {
      type: 'limited_time_offer',
      parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: ends } }],
    },
  ]
}

function carouselComponents(parts: TemplateParts, values: TemplateSend, filling: Filling): Component[] {
  const cards = values.cards ?? []
  if (cards.length !== parts.cards.length) {
    filling.faults.issues.push({
      path: `${filling.at}.cards`,
      message: `Must have ${parts.cards.length} cards, like the template. It has ${cards.length}.`,
    })
    return []
  }
  if (cards.length === 0) return []
  return [
    {
      type: 'carousel',
      cards: parts.cards.map((card, i) => {
        const values = cards[i] as CardValues
        const ofCard = { ...filling, at: `${filling.at}.cards[${i}]` }
        return {
          card_index: i,
          components: [
            ...headerComponents(card, values, ofCard),
            ...fillBody(card, values, ofCard).components,
            ...buttonComponents(card, values, ofCard),
          ],
        }
      }),
    },
  ]
}
