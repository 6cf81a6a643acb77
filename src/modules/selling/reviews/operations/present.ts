import type { z } from 'zod'
import { later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { RequestRow } from '../queries/requests.ts'
import type { ReviewRow } from '../queries/reviews.ts'
import type { Review, ReviewRequest } from '../schema.ts'

const instant = (time: Date | null): string | null => time?.toISOString() ?? null

/** Returns whether a request expired without an answer. */
export const isExpired = ({ status, expiresAt }: RequestRow, now: Date): boolean =>
  status === 'sent' && expiresAt !== null && expiresAt <= now

/** Returns the address of the customer's page. */
export const linkOf = ({ siteUrl }: Pick<Context, 'siteUrl'>, { publicToken }: RequestRow): string | null =>
  publicToken === null ? null : `${siteUrl}/r/${publicToken}`

export const presentRequest = (ctx: Context, row: RequestRow): z.output<typeof ReviewRequest> => ({
  id: row.id,
  status: isExpired(row, ctx.now) ? 'expired' : row.status,
  about: row.about,
  subjectId: row.subjectId,
  subjectLabel: row.subjectLabel,
  contactId: row.contactId,
  customerName: row.customerName,
  via: row.via,
  messageId: row.messageId,
  failure: row.failure,
  url: linkOf(ctx, row),
  // The row has real time.
  dueAt: instant(row.runAt && later(row.runAt, ctx.workspace.clockOffsetMs)),
  sentAt: instant(row.sentAt),
  expiresAt: instant(row.expiresAt),
  answeredAt: instant(row.answeredAt),
  createdAt: row.createdAt.toISOString(),
})

export const presentReview = ({ answeredAt, ...row }: ReviewRow): z.output<typeof Review> => ({
  ...row,
  answeredAt: answeredAt.toISOString(),
})
