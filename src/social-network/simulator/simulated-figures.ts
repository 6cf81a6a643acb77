/**
 * Generates the simulated network's figures, always the same for the same question, because no real people
 * view its posts.
 */
import { DAY_MS } from '../../core/clock.ts'
import type { SimulatedAccount } from './store.ts'

export const MAX_PERIOD_SECONDS = 30 * 86_400

type Figures = Record<string, number>

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/**
 * Returns figures of an account for a period. The same accounts view repeatedly, so reach grows slower than
 * views.
 */
export function accountFigures(
  { networkId }: SimulatedAccount,
  { since, until }: { since: Date; until: Date },
  media: Record<string, unknown>[],
): Figures {
  const days = (until.getTime() - since.getTime()) / DAY_MS
  const viewsADay = 40 + Number(networkId.slice(-2))
  const reach = Math.round(viewsADay * Math.sqrt(days))
  const interactions = media
    .filter(({ timestamp }) => {
      const timeMs = Date.parse(String(timestamp).replace(/\+0000$/, 'Z'))
      return timeMs >= since.getTime() && timeMs < until.getTime()
    })
    .reduce((sum, { like_count: likes }) => sum + countOf(likes), 0)
  return {
    reach,
    views: Math.round(viewsADay * days),
    total_interactions: interactions,
    accounts_engaged: Math.min(reach, interactions),
  }
}

/** Returns figures of one post since its publication. */
export function mediaFigures(node: Record<string, unknown>): Figures {
  const [likes, comments] = [countOf(node.like_count), countOf(node.comments_count)]
  return {
    views: 10 * likes,
    reach: 7 * likes,
    likes,
    comments,
    saved: 0,
    shares: 0,
    total_interactions: likes + comments,
  }
}
