/**
 * Every error of the API, once (spec 7). `remembered` says whether an idempotent retry gets the
 * same refusal back: outcomes of a rule are, refusals by validation, permission or limits are not.
 */
type ErrorRow = { status: number; meaning: string; remembered?: true }

const outcome = (status: number, meaning: string): ErrorRow => ({ status, meaning, remembered: true })
const passing = (status: number, meaning: string): ErrorRow => ({ status, meaning })

export const ERRORS = {
  unauthorized: passing(401, 'No key was sent.'),
  api_key_invalid: passing(401, 'The key is malformed or unknown.'),
  api_key_revoked: passing(401, 'The key was revoked.'),
  api_key_expired: passing(401, 'The key has expired.'),
  insufficient_scope: passing(403, 'The key lacks the scope that `required` names.'),
  ip_not_allowed: passing(403, 'The key is limited to other addresses.'),
  forbidden: passing(403, 'The role of the key is too low; `required` names the lowest that may.'),
  social_disabled: passing(403, 'The social feature is switched off for the workspace.'),
  sandbox: outcome(403, 'The action is refused in a sandbox.'),
  plan_feature_unavailable: passing(402, 'The plan lacks the feature; `upgradeUrl` says where to change it.'),
  plan_limit_reached: passing(402, 'The plan allows no more contacts, or no more documents in the month.'),
  quota_exceeded: passing(402, "The month's message allowance is used up."),
  social_addon_required: passing(402, 'The add-on is missing; `offer` is add_addon or upgrade_plan.'),
  invalid: passing(400, 'Validation failed; `message` and `issues` name the fields.'),
  invalid_json: passing(400, 'The body is not JSON.'),
  invalid_reference: outcome(
    400,
    'An id in the body names nothing in the workspace; `issues` names the field.',
  ),
  invalid_template_parameters: passing(400, 'A template variable is missing or blank; `issues` names it.'),
  template_header_media_required: passing(400, 'The template has a media header and no media was given.'),
  cannot_send_to_self: outcome(400, "The recipient is the business's own number."),
  invalid_idempotency_key: passing(400, 'The Idempotency-Key is empty or longer than 255 characters.'),
  meta_error: outcome(400, 'The channel operator refused; `code` and `message` are its own.'),
  not_found: outcome(404, 'The workspace has nothing with this id, or the path does not exist.'),
  not_available: outcome(404, 'The feature is not open to the workspace.'),
  unknown_integration: outcome(404, 'The integration is unknown.'),
  method_not_allowed: passing(405, 'The path exists, the method does not; `Allow` names those that do.'),
  conflict: outcome(409, 'It clashes with an existing record.'),
  contact_opted_out: outcome(409, 'The customer opted out; nothing was sent.'),
  number_banned: outcome(409, 'The operator banned the sending number; nothing was queued.'),
  sending_blocked: outcome(409, 'The operator blocks sending from the number; nothing was queued.'),
  // How the account is connected, whether a gate or the network says so: connected anew, the same key goes on.
  not_connected: passing(409, 'No social account is connected.'),
  reconnect_required: passing(409, 'The social account needs reconnecting.'),
  new_recipients_unconfirmed: outcome(
    409,
    'The campaign reaches people who never wrote; confirm that they agreed.',
  ),
  new_recipient_cool_off: outcome(409, 'People who never wrote were written to too recently.'),
  follow_up_too_soon: outcome(409, 'The follow-up comes too soon after its campaign.'),
  not_a_draft: outcome(409, 'Only a draft can be edited or deleted.'),
  no_payload: outcome(409, 'The delivery is older than the payload log.'),
  idempotency_key_in_progress: passing(409, 'The first request with this key is still running.'),
  payload_too_large: passing(413, 'The body is over its limit.'),
  unsupported_media_type: passing(415, 'Bodies are uncompressed application/json.'),
  idempotency_key_reused: passing(422, 'The key was used with a different request.'),
  outside_24h_window: outcome(422, 'A free-form message needs an open 24-hour window; use a template.'),
  needs_phone_number: outcome(422, 'A verification code cannot go to a customer without a number.'),
  invalid_post: outcome(422, 'The social post cannot be published as it is.'),
  invalid_schedule: outcome(422, 'The time of the post cannot be used.'),
  notice_to_new_recipients: outcome(422, 'A notice template goes only to people who wrote before.'),
  follow_up_notice_template: outcome(422, 'A follow-up to a marketing campaign uses a marketing template.'),
  rate_limited: passing(429, 'The bucket is empty; wait `Retry-After` seconds.'),
  uploads_in_progress: passing(429, 'Too many uploads run at once.'),
  internal_error: passing(500, 'Internal error; retry with backoff.'),
  send_unconfirmed: outcome(502, 'The network gave no answer; the message may have gone.'),
  reply_unconfirmed: outcome(502, 'The network gave no answer; the reply may have gone.'),
  rate_limiter_unavailable: passing(503, 'The action is paused while its limiter is unreachable.'),
  service_unavailable: passing(503, 'The database is unavailable or busy; retry after `Retry-After`.'),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

/** What only who comes by a session meets; the public description knows nothing of it (docs/decisions/dashboard-sessions.md). */
const SESSION_ERRORS = {
  session_ended: passing(401, 'The session has ended; sign in again.'),
  other_account: passing(409, 'Somebody else has signed in in this browser; open the page anew.'),
  sign_in_refused: passing(401, 'What was given does not sign anybody in.'),
  cross_site: passing(403, 'The request does not come from a page of this site.'),
  not_a_member: passing(403, 'The account is not a member of the workspace.'),
  not_confirmed: passing(403, 'Sign in or confirm again: the last time was more than 10 minutes ago.'),
  second_factor_required: passing(403, 'Confirm with a passkey, an authenticator code or a recovery code.'),
} as const satisfies Record<string, ErrorRow>

/** Every code that a refusal may have. */
export type RefusalCode = ErrorCode | keyof typeof SESSION_ERRORS

const ROWS: Record<RefusalCode, ErrorRow> = { ...ERRORS, ...SESSION_ERRORS }
export const errorRow = (code: RefusalCode): ErrorRow => ROWS[code]

/** One bad field: where it is, as a path (`tags[3]`), and what is wrong with it. */
export type Issue = { path: string; message: string }

/** What an error body may carry beside `error` and `message` (spec 7). The document describes each field (`openapi-errors.ts`). */
export type DescribedDetails = {
  issues?: Issue[]
  required?: string
  offer?: string
  upgradeUrl?: string
  code?: number
  newRecipients?: number
  knownRecipients?: number
  earliestAt?: string
  nextSlots?: { startAt: string; endAt: string; staffId: string | null; remaining: number }[]
  id?: string
  webhookId?: string
  tagId?: string
  fieldId?: string
  segmentId?: string
  viewId?: string
  quickReplyId?: string
}

export type RefusalDetails = DescribedDetails & {
  /** Of an import, in the dashboard alone. */
  state?: string
  retryAfterSeconds?: number
  status?: number
}

/** A body can be wrong in tens of thousands of places. The first of them are enough to repair it. */
export const MAX_ISSUES = 100
const firstOf = (issues: Issue[]): Issue[] => issues.slice(0, MAX_ISSUES)

/** A refusal of the API: thrown by operations, turned into the error body by the HTTP layer. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails
  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    const { issues } = details
    this.details = issues && issues.length > MAX_ISSUES ? { ...details, issues: firstOf(issues) } : details
  }
}

/** Stops the operation; its transaction rolls back, so a refused write leaves nothing behind. */
export function refuse(code: RefusalCode, message: string, details?: RefusalDetails): never {
  throw new Refusal(code, message, details)
}

const inWords = (issues: Issue[]): string =>
  firstOf(issues)
    .map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message))
    .join('; ')

/** A validation refusal that names its fields. */
export const invalid = (issues: Issue[]): Refusal => new Refusal('invalid', inWords(issues), { issues })

/** A refusal of ids in the body that name nothing in the workspace, with their fields. */
export const invalidReference = (issues: Issue[], message = inWords(issues)): Refusal =>
  new Refusal('invalid_reference', message, { issues })

/** Stops the operation because of one such id. */
export function refuseReference(path: string, message: string): never {
  throw invalidReference([{ path, message }])
}
