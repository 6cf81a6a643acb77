/**
 * Lists every error of the API (spec 7). `remembered` says whether an idempotent retry gets the same refusal: refusals by a
 * business rule are remembered, those by validation, permission, or limits are not.
 */
type ErrorRow = { status: number; meaning: string; remembered?: true }

const outcome = (status: number, meaning: string): ErrorRow => ({ status, meaning, remembered: true })
const passing = (status: number, meaning: string): ErrorRow => ({ status, meaning })

export const ERRORS = {
  unauthorized: passing(401, 'No API key. Send `Authorization: Bearer <API_KEY>`.'),
  api_key_invalid: passing(401, 'The API key is malformed or unknown. Check the key.'),
  api_key_revoked: passing(401, 'The API key was revoked. Use another key.'),
  api_key_expired: passing(401, 'The API key has expired. Use another key.'),
  insufficient_scope: passing(403, "This key doesn't have the scope in `required`. Use a key that has it."),
  ip_not_allowed: passing(
    403,
    "This key can't be used from your IP address. Add the address to the key, or call from a listed one.",
  ),
  forbidden: passing(403, "This key's role can't do this. It needs at least the role in `required`."),
  social_disabled: passing(
    403,
    'The photo network is turned off for this workspace. An admin can turn it on in Settings.',
  ),
  sandbox: outcome(403, "A sandbox can't do this. Use a workspace that isn't a sandbox."),
  plan_feature_unavailable: passing(
    402,
    "Your plan doesn't include this feature. Change the plan at `upgradeUrl`.",
  ),
  plan_limit_reached: passing(
    402,
    "You have reached your plan's limit for contacts, or for documents this month.",
  ),
  quota_exceeded: passing(402, "You have used this month's message allowance."),
  social_addon_required: passing(
    402,
    "Your plan doesn't include this add-on. `offer` is `add_addon` or `upgrade_plan`.",
  ),
  invalid: passing(400, "One or more fields aren't valid. `message` and `issues` name them."),
  invalid_json: passing(400, "The body isn't valid JSON."),
  invalid_reference: outcome(
    400,
    "An id in the body doesn't exist in this workspace. `issues` names the field.",
  ),
  invalid_template_parameters: passing(400, 'A template variable is missing or blank. `issues` names it.'),
  template_header_media_required: passing(400, 'This template has a media header. Send the media for it.'),
  cannot_send_to_self: outcome(400, "You can't message your own number. Use a customer's number."),
  invalid_idempotency_key: passing(400, 'The `Idempotency-Key` must have 1 to 255 characters.'),
  meta_error: outcome(400, 'The operator rejected the request. `code` and `message` come from the operator.'),
  not_found: outcome(404, "This id or path doesn't exist in this workspace."),
  not_available: outcome(404, "This feature isn't available in this workspace."),
  unknown_integration: outcome(404, 'There is no integration with this name.'),
  method_not_allowed: passing(405, "This path doesn't support this method. `Allow` lists the methods."),
  conflict: outcome(409, 'The request conflicts with an existing record or its current state.'),
  contact_opted_out: outcome(409, 'The customer opted out. Nothing was sent.'),
  number_banned: outcome(409, 'The operator banned the sending number. Nothing was queued.'),
  sending_blocked: outcome(409, 'The operator blocks sending from this number. Nothing was queued.'),
  // A retry with the same key works once the account is connected again.
  not_connected: passing(
    409,
    'No photo network account is connected. An admin can connect one in Integrations.',
  ),
  reconnect_required: passing(409, 'The photo network account must be connected again.'),
  assistant_off: passing(409, 'The assistant for agents is off. An admin can turn it on in Integrations.'),
  new_recipients_unconfirmed: outcome(
    409,
    'The campaign has new recipients. Confirm that they agreed to receive messages.',
  ),
  new_recipient_cool_off: outcome(
    409,
    "Some new recipients got a campaign recently and didn't answer. Send later, or set `knownOnly`.",
  ),
  follow_up_too_soon: outcome(409, 'A follow-up can be sent after `earliestAt`.'),
  not_a_draft: outcome(409, 'Only a draft can be edited or deleted.'),
  no_payload: outcome(409, "The delivery is older than the event log. It can't be sent again."),
  idempotency_key_in_progress: passing(
    409,
    'The first request with this `Idempotency-Key` is still running. Try again shortly.',
  ),
  workspace_moved: passing(421, 'The workspace moved to another cell. `cell` and `address` name it.'),
  payload_too_large: passing(413, 'The body is too large.'),
  unsupported_media_type: passing(415, 'Send the body as uncompressed `application/json`.'),
  idempotency_key_reused: passing(
    422,
    'This `Idempotency-Key` was used with a different request. Use a new key.',
  ),
  outside_24h_window: outcome(
    422,
    'The 24-hour window is closed. On the chat network, send a template instead.',
  ),
  needs_phone_number: outcome(422, 'A verification code can be sent only to a customer with a phone number.'),
  invalid_post: outcome(422, "The post can't be published as it is. `issues` names the fields."),
  invalid_schedule: outcome(422, "The post can't be scheduled for this time."),
  notice_to_new_recipients: outcome(
    422,
    'A utility or authentication template can be sent only to customers who have messaged you.',
  ),
  follow_up_notice_template: outcome(
    422,
    'A follow-up to a marketing campaign must use a marketing template.',
  ),
  rate_limited: passing(429, 'Too many requests. Try again after `Retry-After` seconds.'),
  uploads_in_progress: passing(429, 'Too many uploads are running. Try again when one has finished.'),
  internal_error: passing(500, 'Something went wrong in Parley. Try again with backoff.'),
  send_unconfirmed: outcome(
    502,
    "The network didn't answer. The message may have been sent: check the chat first.",
  ),
  reply_unconfirmed: outcome(
    502,
    "The network didn't answer. The reply may have been posted: check the comment first.",
  ),
  assistant_failed: passing(
    502,
    "The assistant didn't return a usable text. Nothing was sent. Try again, or write the text yourself.",
  ),
  rate_limiter_unavailable: passing(503, "The rate limiter can't be reached. Try again later."),
  workspace_moving: passing(
    503,
    'The workspace is moving to another cell. Try again after `Retry-After` seconds.',
  ),
  service_unavailable: passing(
    503,
    'The database is unavailable or busy. Try again after `Retry-After` seconds.',
  ),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

/**
 * Errors of dashboard sessions, which the public API document omits (src/modules/platform/access/DECISIONS.md
 * "Accounts and sessions").
 */
export const SESSION_ERRORS = {
  session_ended: passing(401, 'Your session has ended. Sign in again.'),
  other_account: passing(409, 'Someone signed in to another account in this browser. Reload the page.'),
  sign_in_refused: passing(401, 'The sign-in details are wrong.'),
  cross_site: passing(403, 'The request must come from a page of this site.'),
  not_a_member: passing(403, "Your account isn't a member of this workspace."),
  not_confirmed: passing(403, "Confirm that it's you. You last signed in more than 10 minutes ago."),
  second_factor_required: passing(403, 'Confirm with a passkey, an authenticator code, or a recovery code.'),
} as const satisfies Record<string, ErrorRow>

/** Every code that a refusal may have. */
export type RefusalCode = ErrorCode | keyof typeof SESSION_ERRORS

const ROWS: Record<RefusalCode, ErrorRow> = { ...ERRORS, ...SESSION_ERRORS }
export const errorRow = (code: RefusalCode): ErrorRow => ROWS[code]

/** One invalid field: its path (`tags[3]`) and the error. */
export type Issue = { path: string; message: string }

/**
 * Fields that an error body may have besides `error` and `message` (spec 7). The API document describes each
 * (`openapi-errors.ts`).
 */
export type DescribedDetails = {
  issues?: Issue[]
  required?: string
  offer?: string
  upgradeUrl?: string
  code?: number
  newRecipients?: number
  knownRecipients?: number
  earliestAt?: string
  cell?: string
  address?: string
  nextSlots?: { startAt: string; endAt: string; staffId: string | null; remaining: number }[]
  id?: string
  webhookId?: string
  tagId?: string
  fieldId?: string
  segmentId?: string
  viewId?: string
  quickReplyId?: string
  macroId?: string
  teamId?: string
  flowId?: string
}

export type RefusalDetails = DescribedDetails & {
  /** State of an import; only in the dashboard. */
  state?: string
  retryAfterSeconds?: number
  status?: number
}

/** A body can have tens of thousands of errors; the first ones are enough to repair it. */
export const MAX_ISSUES = 100
const firstIssues = (issues: Issue[]): Issue[] => issues.slice(0, MAX_ISSUES)

/** A refusal of the API: operations throw it, and the HTTP layer turns it into the error body. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: RefusalDetails
  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    const { issues } = details
    this.details =
      issues && issues.length > MAX_ISSUES ? { ...details, issues: firstIssues(issues) } : details
  }
}

/** Stops the operation; its transaction rolls back, so a refused write changes nothing. */
export function refuse(code: RefusalCode, message: string, details?: RefusalDetails): never {
  throw new Refusal(code, message, details)
}

/** Returns the issues as text: `name: Required. tags[3]: Must be at most 40 characters.` */
export const formatIssues = (issues: Issue[]): string =>
  firstIssues(issues)
    .map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message))
    .join(' ')

/** Returns a validation refusal that names its fields. */
export const invalid = (issues: Issue[]): Refusal => new Refusal('invalid', formatIssues(issues), { issues })

/** Returns a refusal of ids in the body that don't exist in the workspace, with their fields. */
export const invalidReference = (issues: Issue[], message = formatIssues(issues)): Refusal =>
  new Refusal('invalid_reference', message, { issues })

/** Stops the operation because of an id that doesn't exist in the workspace. */
export function refuseReference(path: string, message: string): never {
  throw invalidReference([{ path, message }])
}
