/** Explains each error for its page: why it happens, how to repair it, and whether a retry helps. */
import type { RefusalCode } from '../core/errors.ts'

/**
 * `repair`: after the cause is gone. `wait`: later, without a change. `check`: only after a look at the result,
 * because the effect may have happened. `later`: later, as a new request. `never`: another request is needed.
 */
type Retry = 'repair' | 'wait' | 'check' | 'later' | 'never'
type Guide = { why: string; repair: string; retry: Retry }

const guide = (retry: Retry, why: string, repair: string): Guide => ({ why, repair, retry })

/** Says whether and how to send the request again. */
export const RETRY_WORDS: Record<Retry, string> = {
  repair: 'Yes, after the repair. Use a new `Idempotency-Key` if the request changes.',
  wait: 'Yes, later, with the same `Idempotency-Key`. Wait for the seconds in `Retry-After` if the response has it.',
  check: 'Not before you checked the result, because the first request may have had its effect.',
  later: 'Yes, later, with a new `Idempotency-Key`.',
  never: 'No. The same request gets the same answer.',
}

export const ERROR_GUIDES: Record<RefusalCode, Guide> = {
  unauthorized: guide(
    'repair',
    'The request has no `Authorization` header, or the header does not start with `Bearer`.',
    'Send the header `Authorization: Bearer` with your API key. Check that no proxy removes it.',
  ),
  api_key_invalid: guide(
    'repair',
    'The key was copied incompletely, has a typing error, or belongs to another installation.',
    'Copy the key again, or create a new key. Parley shows a key only once.',
  ),
  api_key_revoked: guide(
    'repair',
    'An admin revoked the key, or its member left the workspace.',
    'Ask an admin for a new key, and replace the old key in your program.',
  ),
  api_key_expired: guide(
    'repair',
    'The key had an expiry date, and the date has passed.',
    'Create a new key, and replace the old key in your program.',
  ),
  insufficient_scope: guide(
    'repair',
    'The key is limited to scopes, and the scope in `required` is not among them.',
    'Create a key with this scope.',
  ),
  ip_not_allowed: guide(
    'repair',
    'The key is limited to addresses, and your program calls from another one. A proxy can also change the address.',
    'Create a key for this address. Behind a proxy, set `PARLEY_TRUST_PROXY` to the address of the proxy.',
  ),
  forbidden: guide(
    'repair',
    'The role of the key is lower than the role in `required`.',
    'Create a key with this role, or let a program with such a key send the request.',
  ),
  social_disabled: guide(
    'repair',
    'An admin turned off the photo network for this workspace.',
    'Ask an admin to turn it on in **Settings**.',
  ),
  sandbox: guide(
    'never',
    'The workspace is a sandbox, which never calls an outside service.',
    'Use a workspace that is not a sandbox, or the simulated service of the sandbox.',
  ),
  plan_feature_unavailable: guide(
    'repair',
    'The plan of the workspace does not include this feature.',
    'Change the plan at `upgradeUrl`.',
  ),
  plan_limit_reached: guide(
    'repair',
    'The workspace has as many contacts as its plan allows, or issued as many documents this month.',
    'Delete contacts that you do not need, wait for the next month, or change the plan.',
  ),
  quota_exceeded: guide(
    'repair',
    'The workspace sent all messages that its plan includes this month.',
    'Buy more messages, change the plan, or wait for the next month.',
  ),
  social_addon_required: guide(
    'repair',
    'The photo network is an add-on, and the plan of the workspace does not include it.',
    'Buy the add-on if `offer` is `add_addon`. Otherwise change the plan first.',
  ),
  invalid: guide(
    'repair',
    'A field of the body, the query, or the path is missing, unknown, or has a value that the rule does not allow.',
    'Correct the fields in `issues`. Each has a `path` and a `message` with the rule.',
  ),
  invalid_json: guide(
    'repair',
    'The body is empty, cut off, or not JSON in UTF-8. JSON with more than 32 levels is also not valid.',
    'Create the body with the JSON encoder of your language, and send it complete.',
  ),
  invalid_reference: guide(
    'repair',
    'The body names a record that was deleted, or that belongs to another workspace.',
    'Read the id again from its list, and send the new id.',
  ),
  invalid_template_parameters: guide(
    'repair',
    'The template has variables, and the request has no value or only spaces for one of them.',
    'Send a value for every variable of the template. `GET /templates` shows the variables.',
  ),
  template_header_media_required: guide(
    'repair',
    'The header of the template is a picture, a video, or a document.',
    'Upload the file with `POST /media`, and send its id with the message.',
  ),
  cannot_send_to_self: guide(
    'repair',
    'The recipient is the sending number.',
    "Use the customer's number as the recipient.",
  ),
  invalid_idempotency_key: guide(
    'repair',
    'The `Idempotency-Key` header is empty or longer than 255 characters.',
    'Send a key with 1 to 255 characters, such as a UUID.',
  ),
  meta_error: guide(
    'repair',
    'The operator rejected the request, for example because of an unapproved template or a blocked recipient.',
    'Read `code` and `message`, which come from the operator. With status 429, wait first.',
  ),
  not_found: guide(
    'repair',
    'The path has a typing error, or the record was deleted or belongs to another workspace.',
    'Compare the path with the reference, and read the id again from its list.',
  ),
  not_available: guide(
    'repair',
    'The module of this feature is off in the workspace.',
    'Ask an admin to turn on the module in **Settings**.',
  ),
  unknown_integration: guide(
    'repair',
    'The name in the path is no integration of this version.',
    'Use a name from `GET /integrations`.',
  ),
  method_not_allowed: guide(
    'repair',
    'The path exists, but not for this method.',
    'Use one of the methods in the `Allow` header.',
  ),
  conflict: guide(
    'repair',
    'A record with this name exists already, or the record is in a state that does not allow the change.',
    'Read the record again. The body has the id of the existing record, or the next free times.',
  ),
  contact_opted_out: guide(
    'never',
    'The customer wrote STOP, or a teammate recorded the opt out.',
    'Remove the customer from your list. The customer can opt in again by writing START.',
  ),
  number_banned: guide(
    'never',
    'The operator banned the number because of complaints or a broken rule.',
    "Appeal in the operator's account, or send from another number.",
  ),
  sending_blocked: guide(
    'repair',
    'The operator blocks the number for a while, for example because of its quality or an open bill.',
    "Repair the cause in the operator's account. Parley learns when the block ends.",
  ),
  not_connected: guide(
    'repair',
    'The workspace has no account of the photo network.',
    'Ask an admin to connect an account in **Settings**.',
  ),
  reconnect_required: guide(
    'repair',
    'The permission of the photo network ended, for example after a changed password.',
    'Ask an admin to connect the account again in **Settings**.',
  ),
  new_recipients_unconfirmed: guide(
    'repair',
    'The audience has people who never wrote to you. `newRecipients` is their number.',
    'Check that they agreed to receive messages, and set `confirmNewRecipients`. Or set `knownOnly`.',
  ),
  new_recipient_cool_off: guide(
    'later',
    'People who never wrote got a campaign recently, and a second one would be too soon.',
    'Send the campaign later, or set `knownOnly`.',
  ),
  follow_up_too_soon: guide(
    'later',
    'The pause between a campaign and its follow-up has not ended.',
    'Send the follow-up at `earliestAt` or later.',
  ),
  not_a_draft: guide(
    'never',
    'The campaign or post was scheduled, sent, or published meanwhile.',
    'Cancel it if possible, and create a new draft.',
  ),
  no_payload: guide(
    'never',
    'The event log keeps events for 7 days, and this delivery is older.',
    'Read the current data through the API instead.',
  ),
  idempotency_key_in_progress: guide(
    'wait',
    'A request with the same key is running, usually because a client retried before its timeout ended.',
    'Wait a second, and send the request again with the same key. You then get the first answer.',
  ),
  payload_too_large: guide(
    'repair',
    'The body is larger than the limit of the endpoint.',
    'Send less at a time, or upload a smaller file.',
  ),
  unsupported_media_type: guide(
    'repair',
    'The `Content-Type` is not `application/json`, or the body is compressed.',
    'Send JSON with `Content-Type: application/json` and without `Content-Encoding`.',
  ),
  idempotency_key_reused: guide(
    'repair',
    'Your program used the same key for two different requests.',
    'Create a new key for each request, and keep it only for its retries.',
  ),
  outside_24h_window: guide(
    'repair',
    "The customer's last message is more than 24 hours old, or the customer never wrote.",
    'Send an approved template, or wait until the customer writes.',
  ),
  needs_phone_number: guide(
    'never',
    'The customer has no phone number in Parley, only a user id.',
    'Ask the customer for a number, and add it to the contact.',
  ),
  invalid_post: guide(
    'repair',
    'The post lacks a picture or a text, or breaks a rule of the photo network.',
    'Correct the fields in `issues`.',
  ),
  invalid_schedule: guide(
    'repair',
    'The time is in the past, too near, or too far away.',
    'Choose a time that the message names as allowed.',
  ),
  notice_to_new_recipients: guide(
    'repair',
    'The audience of a utility or authentication template has people who never wrote to you.',
    'Use a marketing template, or limit the audience to customers who wrote to you.',
  ),
  follow_up_notice_template: guide(
    'repair',
    'The follow-up of a marketing campaign uses a template of another category.',
    'Choose a marketing template.',
  ),
  rate_limited: guide(
    'wait',
    'The bucket of this endpoint is empty: the workspace, the key, or the address sent too many requests.',
    'Wait for the seconds in `Retry-After`. Spread your requests, and read lists with larger pages.',
  ),
  uploads_in_progress: guide(
    'wait',
    'The workspace uploads as many files at the same moment as allowed.',
    'Send the next file when one has finished.',
  ),
  internal_error: guide(
    'wait',
    'Parley has a fault. Its log has the cause, with the id of the request.',
    'Retry with growing pauses. If the error remains, report the `X-Request-Id` to the person who runs Parley.',
  ),
  send_unconfirmed: guide(
    'check',
    'The photo network did not answer in time, so the message may have been sent.',
    'Read the chat. Send the message again only if it is not there.',
  ),
  reply_unconfirmed: guide(
    'check',
    'The photo network did not answer in time, so the reply may have been posted.',
    'Read the comment. Reply again only if the reply is not there.',
  ),
  assistant_off: guide(
    'repair',
    'No assistant is connected, or the workspace does not let agents use it.',
    'An admin connects the integration `ai` with `forAgents`.',
  ),
  assistant_failed: guide(
    'wait',
    'The assistant was not reachable, took too long, declined, or returned a text that Parley does not pass on.',
    'Try again later. If it happens often, test the connection in Integrations.',
  ),
  rate_limiter_unavailable: guide(
    'wait',
    'The shared rate limiter is away, and this call must not run without a limit.',
    'Retry with growing pauses. The person who runs Parley checks `REDIS_URL`.',
  ),
  service_unavailable: guide(
    'wait',
    'The database restarts, is overloaded, or has no space left.',
    'Wait for the seconds in `Retry-After`. The person who runs Parley finds the cause in the log.',
  ),
  workspace_moving: guide(
    'wait',
    'An admin of the installation moves the workspace to another cell. Its data is copied, and it is paused for some seconds.',
    'Wait for the seconds in `Retry-After`. The workspace then answers here or, with `workspace_moved`, at its new address.',
  ),
  workspace_moved: guide(
    'repair',
    'The workspace now lives in another cell. Keys, ids, and idempotency keys are the same there.',
    'Send the request to `address`. Without `address`, ask the person who runs Parley for the address of the cell in `cell`.',
  ),
  session_ended: guide(
    'repair',
    'You signed out, an admin ended your sessions, or the session expired.',
    'Sign in again.',
  ),
  other_account: guide(
    'repair',
    'Another tab of this browser signed in to a different account.',
    'Reload the page.',
  ),
  sign_in_refused: guide(
    'repair',
    'The email, the password, the code, or the link is wrong, or the link was used already.',
    'Check your entries, or request a new link.',
  ),
  cross_site: guide(
    'never',
    'A browser sent the request from a page of another site, which Parley does not allow.',
    'Open the dashboard at its own address. If the address is right, set `PARLEY_SITE_URL` to it.',
  ),
  not_a_member: guide(
    'repair',
    'Your account was removed from the workspace, or the link names another workspace.',
    'Choose a workspace of yours, or ask its owner for an invitation.',
  ),
  not_confirmed: guide(
    'repair',
    'The change is sensitive, and your last sign-in is more than 10 minutes old.',
    'Confirm with your password, a passkey, or a code, and repeat the change.',
  ),
  second_factor_required: guide(
    'repair',
    'Your account has a second factor, or the workspace requires one.',
    'Confirm with a passkey, an authenticator code, or a recovery code.',
  ),
}
