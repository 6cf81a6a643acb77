import type { z } from 'zod'
import type { Issue } from '../../../core/errors.ts'
import { issuesOf } from '../../../core/issues.ts'
import { isObject, objectsIn } from '../../../core/values/storable.ts'
import { hasOptOutText, textsOf } from '../../../operator/template-components/opt-out-text.ts'
import { variablesIn } from '../../../operator/template-components/variables.ts'
import type { Component } from './queries/templates.ts'
import { NewTemplate, type TemplateDraft, type TemplateWarning } from './schema.ts'

/** With fewer letters, the share of capitals is not significant. */
const LETTERS_LEAST = 12
const CAPITALS_SHARE = 0.4

const spam =
  /\b(?:100% free|act now|buy now|cash bonus|click here|congratulations|double your|earn money|free (?:gift|money)|guaranteed?|hurry|limited time only|lottery|make money|no cost|risk[- ]free|urgent(?:ly)?|winner|you(?:'ve| have) (?:been selected|won))\b/iu
const address = /https?:\/\/|\bwww\.|\b[a-z0-9-]+\.(?:com|in|net|org|io|co|shop|store|link|ly)\b(?:\/|\s|$)/iu

/**
 * Returns the errors that prevent a draft's submission; without errors, the warnings about likely objections
 * of the operator.
 */
export function lintDraft(draft: z.output<typeof TemplateDraft>): {
  issues: Issue[]
  warnings: TemplateWarning[]
} {
  const { success, data, error } = NewTemplate.safeParse(draft)
  return success
    ? { issues: [], warnings: lintTemplate(data) }
    : { issues: issuesOf(error, NewTemplate), warnings: [] }
}

/**
 * Returns warnings about a valid template to which the operator may object (spec 4.2 marketing rules).
 * Warnings never block: the operator decides.
 */
export function lintTemplate({
  category,
  components,
}: Pick<NewTemplate, 'category' | 'components'>): TemplateWarning[] {
  const warnings: TemplateWarning[] = []
  if (category === 'MARKETING' && !hasOptOutText(components))
    warnings.push({
      code: 'missing_opt_out',
      path: 'components',
      message:
        'A marketing template must say how to opt out, for example in a footer: Reply STOP to opt out.',
    })
  for (const [i, component] of components.entries())
    warnings.push(...textsOf(component).flatMap((text) => textWarnings(text, `components[${i}]`)))
  const bodyAt = components.findIndex((component) => component.type === 'BODY')
  const body = components[bodyAt]
  if (body) warnings.push(...bodyWarnings(body, `components[${bodyAt}].text`))
  if (category === 'AUTHENTICATION') warnings.push(...verificationWarnings(components, bodyAt))
  return warnings
}

function textWarnings(text: string, path: string): TemplateWarning[] {
  const warnings: TemplateWarning[] = []
  const letters = text.replaceAll(/\{\{.*?\}\}/g, '').match(/\p{L}/gu) ?? []
  const capitals = letters.filter((letter) => letter !== letter.toLowerCase())
  if (letters.length >= LETTERS_LEAST && capitals.length / letters.length > CAPITALS_SHARE)
    warnings.push({
      code: 'excessive_capitals',
      path,
      message: 'Mostly in capitals. The operator may reject it.',
    })
  const word = spam.exec(text)?.[0]
  if (word !== undefined)
    warnings.push({
      code: 'spam_words',
      path,
      message: `Has the word “${word}”. The operator may treat it as spam.`,
    })
  return warnings
}

function bodyWarnings({ text }: Component, path: string): TemplateWarning[] {
  if (typeof text !== 'string') return []
  const warnings: TemplateWarning[] = []
  if (address.test(text))
    warnings.push({
      code: 'url_in_body',
      path,
      message: 'Has a web address. The operator may reject it: use a button of type URL.',
    })
  const count = variablesIn(text).length
  const words = text.replaceAll(/\{\{.*?\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  if (count > 0 && words < 2 * count + 1)
    warnings.push({
      code: 'too_few_words',
      path,
      message: `Has ${words} words for ${count} placeholders. The operator may require at least ${2 * count + 1}.`,
    })
  return warnings
}

function verificationWarnings(components: Component[], bodyAt: number): TemplateWarning[] {
  const warnings: TemplateWarning[] = []
  if (components[bodyAt]?.text !== undefined)
    warnings.push({
      code: 'text_of_verification',
      path: `components[${bodyAt}].text`,
      message: 'The operator writes the text of verification templates itself. It may reject this one.',
    })
  const buttons = components.flatMap((component) => objectsIn(component.buttons))
  if (!buttons.some((button) => isObject(button) && button.type === 'OTP'))
    warnings.push({
      code: 'missing_code_button',
      path: 'components',
      message: 'A verification template must have a button of type OTP. The operator may reject this one.',
    })
  return warnings
}
