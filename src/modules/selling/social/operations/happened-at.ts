import type { Context } from '../../../../core/context.ts'

/**
 * Returns the time of a reported event, at most now: a network whose clock runs ahead cannot extend a window.
 */
export const happenedAt = (ctx: Context, reportedAt: Date): Date =>
  reportedAt.getTime() > ctx.now.getTime() ? ctx.now : reportedAt
