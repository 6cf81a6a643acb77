/** The account's figures over 7, 28 or 90 days (spec 4.6, DECISIONS.md). */
import { DAY_MS, later, MINUTE_MS } from '../../../../../core/clock.ts'
import type { OutsideContext } from '../../../../../core/context.ts'
import type {
  AccountInsights,
  Answered,
  MediaPage,
  NetworkMedia,
  SocialAccount,
} from '../../../../../social-network/port.ts'
import { networkRefusal } from '../../../../../social-network/refusals.ts'
import type { Insights } from '../schema.ts'
import { briefCache } from '../short-cache.ts'
import { liveAccount, presentLive } from './live-posts.ts'

/** The longest period for which the network answers (docs/formats.md section 14). */
const PERIOD_DAYS = 30
const TOP_POSTS = 5
/** The limits of the search for the best posts: pages, and posts on each. */
const MAX_PAGES = 5
const PAGE_POSTS = 100

const cache = briefCache<Insights>({ keptMs: MINUTE_MS, maxEntries: 1_000 })

/** Returns a summary of the account, at most a minute old. Refuses with the network's error. */
export async function readInsights(ctx: OutsideContext, days: number): Promise<Insights> {
  const account = await liveAccount(ctx)
  const until = ctx.clock.now()
  return cache.get(`${account.id} ${days}`, until, () => askInsights(ctx, account, { days, until }))
}

type Period = { since: Date; until: Date }

/** Splits the window into periods of at most 30 days, oldest first. */
function periodsOf(days: number, until: Date): Period[] {
  const count = Math.ceil(days / PERIOD_DAYS)
  const since = later(until, -days * DAY_MS)
  return Array.from({ length: count }, (_, i) => ({
    since: later(since, i * PERIOD_DAYS * DAY_MS),
    until: i === count - 1 ? until : later(since, (i + 1) * PERIOD_DAYS * DAY_MS),
  }))
}

async function askInsights(
  ctx: OutsideContext,
  account: SocialAccount,
  { days, until }: { days: number; until: Date },
): Promise<Insights> {
  const { socialNetwork } = ctx.outside
  const periods = periodsOf(days, until)
  const since = periods[0]!.since
  const [profile, media, ...figures] = await Promise.all([
    socialNetwork.findProfile(account).then(valueOrThrow),
    mediaSince(ctx, account, since),
    ...periods.map((period) => socialNetwork.findAccountInsights(account, period).then(valueOrThrow)),
  ])
  const best = media.sort((a, b) => liked(b) - liked(a)).slice(0, TOP_POSTS)
  return {
    days,
    since: since.toISOString(),
    until: until.toISOString(),
    followers: profile.followers,
    views: sumOf(figures, 'views'),
    reach: largestOf(figures, 'reach'),
    engagement: sumOf(figures, 'totalInteractions'),
    accountsEngaged: largestOf(figures, 'accountsEngaged'),
    periods: periods.map((period, i) => ({
      since: period.since.toISOString(),
      until: period.until.toISOString(),
      reach: figures[i]!.reach,
      accountsEngaged: figures[i]!.accountsEngaged,
    })),
    topPosts: await presentLive(ctx, account, best),
  }
}

function valueOrThrow<Value>(answer: Answered<Value>): Value {
  if (answer.kind !== 'done') throw networkRefusal(answer)
  return answer.value
}

const valuesOf = (figures: AccountInsights[], name: keyof AccountInsights): number[] =>
  figures.flatMap((figure) => figure[name] ?? [])

/** Sums events. */
function sumOf(figures: AccountInsights[], name: keyof AccountInsights): number | null {
  const counts = valuesOf(figures, name)
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

/** Returns the maximum, because the same accounts may be counted in each period. */
function largestOf(figures: AccountInsights[], name: keyof AccountInsights): number | null {
  const counts = valuesOf(figures, name)
  return counts.length === 0 ? null : Math.max(...counts)
}

const liked = ({ likes, comments }: NetworkMedia): number => (likes ?? 0) + (comments ?? 0)

/** Returns the posts of the window among the account's latest. */
async function mediaSince(ctx: OutsideContext, account: SocialAccount, since: Date): Promise<NetworkMedia[]> {
  const found: NetworkMedia[] = []
  for (let page = 0, after: string | null = null; page < MAX_PAGES; page++) {
    const mediaPage: MediaPage = valueOrThrow(
      await ctx.outside.socialNetwork.listMedia(account, { limit: PAGE_POSTS, after }),
    )
    found.push(...mediaPage.media.filter(({ publishedAt }) => publishedAt !== null && publishedAt >= since))
    const last = mediaPage.media.at(-1)
    after = mediaPage.after
    if (after === null || !last?.publishedAt || last.publishedAt < since) break
  }
  return found
}
