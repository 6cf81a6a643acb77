/** The network's rules for posts (spec 4.6, docs/formats.md section 14). Pure functions. */

import { DAY_MS, later } from '../../../../../core/clock.ts'
import { type Issue, refuse } from '../../../../../core/errors.ts'
import { isLonger } from '../../../../../core/values/cut-text.ts'
import type { NewPost, PostKind } from '../schema.ts'

const MAX_CAPTION = 2_200
const MAX_HASHTAGS = 30
const MAX_MENTIONS = 20
const MAX_DAYS_AHEAD = 75

const HASHTAG = /#[\p{L}\p{N}_]+/gu
/** An email address contains no mention. */
const MENTION = /(?<![\w.])@[\w.]+/gu

type Parts = { of: 'image' | 'video'; least: number; max: number; words: string }
const PARTS: Record<PostKind, Parts> = {
  image: { of: 'image', least: 1, max: 1, words: 'exactly one photo' },
  carousel: { of: 'image', least: 2, max: 10, words: '2 to 10 photos' },
  reel: {
    of: 'video',
    least: 1,
    max: 1,
    words: 'exactly one video, uploaded with POST /social/media/upload',
  },
}

const countOf = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0

function captionIssues(caption: string): Issue[] {
  const issue = (message: string): Issue => ({ path: 'caption', message })
  const issues: Issue[] = []
  if (isLonger(caption, MAX_CAPTION)) issues.push(issue(`Must be at most ${MAX_CAPTION} characters.`))
  if (countOf(HASHTAG, caption) > MAX_HASHTAGS)
    issues.push(issue(`Must have at most ${MAX_HASHTAGS} hashtags.`))
  if (countOf(MENTION, caption) > MAX_MENTIONS)
    issues.push(issue(`Must have at most ${MAX_MENTIONS} mentions.`))
  return issues
}

function mediaIssues(kind: PostKind, media: { kind: string }[]): Issue[] {
  const { of, least, max, words } = PARTS[kind]
  const fits = media.length >= least && media.length <= max && media.every((file) => file.kind === of)
  return fits ? [] : [{ path: 'media', message: `Must have ${words}, for the kind ${kind}.` }]
}

/**
 * Refuses a post that cannot be published with `invalid_post`, naming the fields. A draft may have no media
 * yet.
 */
export function checkPost(
  post: Pick<NewPost, 'kind' | 'caption' | 'action'>,
  media: { kind: string }[],
): void {
  const isUnfinished = post.action === 'draft' && media.length === 0
  const issues = [...captionIssues(post.caption), ...(isUnfinished ? [] : mediaIssues(post.kind, media))]
  if (issues.length > 0)
    refuse('invalid_post', issues.map(({ path, message }) => `${path}: ${message}`).join(' '), { issues })
}

/** Returns the scheduled time of the post; null if there is none. Refuses with `invalid_schedule`. */
export function checkSchedule(
  { action, scheduledAt }: Pick<NewPost, 'action' | 'scheduledAt'>,
  now: Date,
): Date | null {
  if (action === 'publish' && scheduledAt)
    refuse('invalid_schedule', "scheduledAt can't be sent with action publish. Use action schedule.")
  if (action !== 'schedule') return scheduledAt ?? null
  if (!scheduledAt) refuse('invalid_schedule', 'scheduledAt is required with action schedule.')
  if (scheduledAt <= now) refuse('invalid_schedule', 'scheduledAt must be in the future.')
  if (scheduledAt > later(now, MAX_DAYS_AHEAD * DAY_MS))
    refuse('invalid_schedule', `scheduledAt must be at most ${MAX_DAYS_AHEAD} days ahead.`)
  return scheduledAt
}
