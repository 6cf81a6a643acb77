import { invalid, Refusal } from '../../../../core/errors.ts'
import type { Faults } from '../../../../operator/template-components/filled-text.ts'
import { partsOf, type TemplateParts } from '../../../../operator/template-components/parts.ts'
import { checkComponents } from '../../../../operator/template-components/sent-components.ts'
import type { Component } from '../queries/templates.ts'
import type { TemplateSend } from '../send-schema.ts'
import { withForms } from './fill-buttons.ts'
import { type Filled, fillTemplate, fillVerification } from './fill-template.ts'
import type { StoredTemplate } from './find-for-send.ts'

/** `payload.template` in the operator's format. */
export type TemplateContent = {
  name: string
  language: { code: string }
  components?: Component[]
}

/** A template ready to send; `text` is its body as the customer reads it. */
export type BuiltTemplate = { content: TemplateContent; text: string }

/** Why a template cannot be sent, with the operator's codes (docs/formats.md sections 4 and 17). */
const notSendable = {
  unknown: {
    code: 132001,
    why: "doesn't exist in this account. Call POST /templates/sync to get the operator's templates",
  },
  pending: { code: 132001, why: "isn't approved yet" },
  rejected: { code: 132001, why: 'was rejected' },
  paused: { code: 132015, why: 'is paused for low quality' },
  disabled: { code: 132016, why: 'is disabled' },
}

/**
 * Builds or checks the components of a template send (spec 4.2). `template` undefined: not in the account;
 * `now`: workspace time; `at`: path of `request` (default `payload.template`). Refusals: `meta_error` (132001,
 * 132015, 132016), `template_header_media_required`, `invalid_template_parameters` naming the placeholder.
 */
export function buildTemplateContent(
  template: StoredTemplate | undefined,
  request: TemplateSend,
  { now, at = 'payload.template' }: { now: Date; at?: string },
): BuiltTemplate | Refusal {
  if (template?.status !== 'approved') {
    const { code, why } = notSendable[template?.status ?? 'unknown']
    return new Refusal('meta_error', `The template ${request.name} (${request.language.code}) ${why}.`, {
      code,
    })
  }
  const parts = partsOf(template.components)
  const faults: Faults = { issues: [], mediaRequired: [] }
  const check = (components: Component[]): string =>
    checkComponents(verificationParts(template, parts), components, {
      path: `${at}.components`,
      faults,
      now,
      verification: template.category === 'AUTHENTICATION',
    })
  const built =
    request.components === undefined
      ? fill(template, parts, request, { now, at, faults })
      : { components: withForms(parts, request.components), text: check(request.components) }
  // Filled components are also checked by the rules for full components, which are final.
  if (request.components === undefined && faults.issues.length + faults.mediaRequired.length === 0)
    check(built.components)
  return (
    refusalOf(faults) ?? {
      content: {
        name: template.name,
        language: { code: template.language },
        ...(built.components.length > 0 ? { components: built.components } : {}),
      },
      text: built.text,
    }
  )
}

function fill(
  template: StoredTemplate,
  parts: TemplateParts,
  request: TemplateSend,
  filling: { now: Date; at: string; faults: Faults },
): Filled {
  if (template.category !== 'AUTHENTICATION') return fillTemplate(parts, request, filling)
  for (const name of Object.keys(request))
    if (!['name', 'language', 'variables'].includes(name))
      filling.faults.issues.push({
        path: `${filling.at}.${name}`,
        message: 'A verification template accepts only its code, in variables.',
      })
  return fillVerification(parts, request, filling)
}

/** The operator writes the body of a verification template; until it is known, the body is only the code. */
const verificationParts = (template: StoredTemplate, parts: TemplateParts): TemplateParts =>
  template.category === 'AUTHENTICATION' && !parts.body?.text
    ? { ...parts, body: { text: '{{1}}', variables: ['1'] } }
    : parts

function refusalOf({ issues, mediaRequired }: Faults): Refusal | undefined {
  if (issues.length === 0 && mediaRequired.length === 0) return undefined
  const allIssues = [...mediaRequired, ...issues]
  const words = invalid(allIssues).message
  return mediaRequired.length > 0
    ? new Refusal('template_header_media_required', words, { issues: allIssues })
    : new Refusal('invalid_template_parameters', words, { issues: allIssues })
}
