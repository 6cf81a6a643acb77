import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { findRequestForUpdate, type RequestRow, updateToken } from '../queries/requests.ts'
import { REVIEW_REQUESTS } from './send-review-requests.ts'

/**
 * Replaces the address of a request's page and invalidates the old one. Refuses with `not_found` and
 * `conflict`.
 */
export async function renewLink(ctx: Context, id: string): Promise<RequestRow> {
  // Prevents a concurrent send with the old address.
  await lockInWorkspace(ctx.tx, ctx.workspace.id, REVIEW_REQUESTS)
  const request = isUuid(id) ? await findRequestForUpdate(ctx, id.toLowerCase()) : undefined
  if (!request) return refuse('not_found', 'Review request not found. See GET /review-requests.')
  if (request.publicToken === null) refuse('conflict', 'The customer was erased. The request has no page.')
  touch(ctx, { review: request.id })
  return updateToken(ctx, request.id, newLinkToken())
}
