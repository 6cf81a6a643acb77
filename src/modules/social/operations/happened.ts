import type { Context } from '../../../core/context.ts'

/** When something happened that the network reports: a network whose clock runs ahead cannot lengthen a window. */
export const happenedAt = (ctx: Context, at: Date): Date => (at.getTime() > ctx.now.getTime() ? ctx.now : at)
