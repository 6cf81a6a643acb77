/** The figures of a week. */
import type { Context } from '../../../../core/context.ts'
import { readResolutionTimes } from '../operations/resolution-times.ts'
import { readResponseTimes } from '../operations/response-times.ts'
import { readSales } from '../operations/sales.ts'
import { readSatisfaction } from '../operations/satisfaction.ts'
import { readVolume } from '../operations/volume.ts'
import type { Period } from '../period.ts'

export type WeeklyFigures = {
  received: number
  sent: number
  firstReplySeconds: number | null
  unanswered: number
  resolved: number
  rating: number | null
  leads: number
  won: number
}

/** Returns the figures of a week. Refuses `rate_limited` while members read reports. */
export async function readWeek(ctx: Context, period: Period): Promise<WeeklyFigures> {
  const { received, sent } = await readVolume(ctx, period)
  const { first, unanswered } = await readResponseTimes(ctx, period)
  const { resolution } = await readResolutionTimes(ctx, period)
  const { average } = await readSatisfaction(ctx, period)
  const { leads, won } = await readSales(ctx, period)
  return {
    received,
    sent,
    firstReplySeconds: first.medianSeconds,
    unanswered,
    resolved: resolution.count,
    rating: average,
    leads,
    won,
  }
}
