import { type DescribedDetails, ERRORS, type ErrorCode, formatIssues, Refusal } from '../../core/errors.ts'
import { bodyOf } from '../wire/answer.ts'
import type { Part } from './schemas.ts'

/** The public address of the installation in examples. */
const SITE = 'https://parley.example'

/** The other fields of the codes that have some. */
const DETAILS: Partial<Record<ErrorCode, DescribedDetails>> = {
  insufficient_scope: { required: 'contacts:write' },
  forbidden: { required: 'admin' },
  plan_feature_unavailable: { upgradeUrl: `${SITE}/settings/plan` },
  plan_limit_reached: { upgradeUrl: `${SITE}/settings/plan` },
  quota_exceeded: { upgradeUrl: `${SITE}/settings/plan` },
  social_addon_required: { offer: 'add_addon', upgradeUrl: `${SITE}/settings/plan` },
  invalid: { issues: [{ path: 'tags[3]', message: 'Must be at most 40 characters.' }] },
  invalid_reference: { issues: [{ path: 'templateId', message: 'There is no template with this id.' }] },
  invalid_template_parameters: { issues: [{ path: 'variables[0]', message: 'Must not be empty.' }] },
  invalid_post: { issues: [{ path: 'media', message: 'Must have at least 1.' }] },
  meta_error: { code: 131026 },
  new_recipients_unconfirmed: { newRecipients: 12, knownRecipients: 340 },
  new_recipient_cool_off: { newRecipients: 12, knownRecipients: 340 },
  follow_up_too_soon: { earliestAt: '2026-06-01T09:30:00.000Z' },
}

/** Returns an example of an error body. Its message is plain text, as in real responses. */
export function errorExample(code: ErrorCode): Part {
  const details = DETAILS[code] ?? {}
  const message = details.issues ? formatIssues(details.issues) : ERRORS[code].meaning.replaceAll('`', '')
  return { value: bodyOf(new Refusal(code, message, details), SITE) }
}
