/** The public names of the package. */
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  type Issue,
  NoResponseError,
  NotFoundError,
  ParleyError,
  PermissionError,
  PlanError,
  RateLimitError,
  ServerError,
  UnconfirmedError,
  ValidationError,
  WebhookError,
} from './errors.ts'
export type { ErrorCode } from './generated/errors.ts'
export type * from './generated/events.ts'
export type * from './generated/models.ts'
export type * from './generated/operations.ts'
export type { ListPromise } from './list-promise.ts'
export type { ParleyOptions, RequestOptions } from './options.ts'
export { Parley } from './parley.ts'
export type { ReplyPromise, WithResponse } from './reply-promise.ts'
export type { FileContent } from './upload.ts'
export { VERSION } from './version.ts'
export { type DeliveryHeaders, type VerifyOptions, verifyWebhook } from './webhook.ts'
