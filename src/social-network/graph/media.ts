import { isObject, objectsIn, textOrNull } from '../../core/values/storable.ts'
import type { AccountInsights, MediaCalls, MediaInsights, NetworkFile, NetworkMedia } from '../port.ts'
import { type Line, readAnswer, segment } from './line.ts'
import { countOrNull, networkIdOrNull, timeOrNull } from './values.ts'

const MEDIA_FIELDS =
  'id,caption,media_type,media_product_type,media_url,permalink,thumbnail_url,timestamp,like_count,comments_count,children{id,media_type,media_url,thumbnail_url}'

const readFile = (value: Record<string, unknown>): NetworkFile => ({
  mediaType: textOrNull(value.media_type) ?? 'IMAGE',
  url: textOrNull(value.media_url),
  thumbnailUrl: textOrNull(value.thumbnail_url),
})

function readMedia(value: Record<string, unknown>): NetworkMedia | undefined {
  const id = networkIdOrNull(value.id)
  if (id === null) return undefined
  return {
    id,
    caption: textOrNull(value.caption),
    ...readFile(value),
    productType: textOrNull(value.media_product_type),
    permalink: textOrNull(value.permalink),
    publishedAt: timeOrNull(value.timestamp),
    likes: countOrNull(value.like_count),
    comments: countOrNull(value.comments_count),
    children: isObject(value.children) ? objectsIn(value.children.data).map(readFile) : [],
  }
}

const afterOf = (paging: unknown): string | null =>
  isObject(paging) && isObject(paging.cursors) && paging.next !== undefined
    ? textOrNull(paging.cursors.after)
    : null

/** Reads the figures of an answer by name; `data: []` has none. */
function readFigures(value: Record<string, unknown>): MediaInsights | undefined {
  if (!Array.isArray(value.data)) return undefined
  return Object.fromEntries(
    objectsIn(value.data).flatMap((row) => {
      const total = isObject(row.total_value) ? row.total_value.value : objectsIn(row.values)[0]?.value
      const [name, figure] = [textOrNull(row.name), countOrNull(total)]
      return name === null || figure === null ? [] : [[name, figure]]
    }),
  )
}

const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

function accountInsightsOf(value: Record<string, unknown>): AccountInsights | undefined {
  const figures = readFigures(value)
  return (
    figures && {
      reach: figures.reach ?? null,
      views: figures.views ?? null,
      accountsEngaged: figures.accounts_engaged ?? null,
      totalInteractions: figures.total_interactions ?? null,
    }
  )
}

export const mediaCalls = (line: Line): MediaCalls => ({
  listMedia: async (account, { limit, after }) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: `${segment(account.networkId)}/media`,
        query: { fields: MEDIA_FIELDS, limit, after },
      }),
      (value) =>
        Array.isArray(value.data)
          ? {
              media: objectsIn(value.data).flatMap((row) => readMedia(row) ?? []),
              after: afterOf(value.paging),
            }
          : undefined,
    ),
  findMedia: async (account, mediaId) =>
    readAnswer(
      await line(account, { method: 'GET', path: segment(mediaId), query: { fields: MEDIA_FIELDS } }),
      readMedia,
    ),
  findAccountInsights: async (account, { since, until }) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: `${segment(account.networkId)}/insights`,
        query: {
          metric: 'reach,views,total_interactions,accounts_engaged',
          period: 'day',
          metric_type: 'total_value',
          since: unixSeconds(since),
          until: unixSeconds(until),
        },
      }),
      accountInsightsOf,
    ),
  findMediaInsights: async (account, mediaId) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: `${segment(mediaId)}/insights`,
        query: { metric: 'views,reach,likes,comments,saved,shares,total_interactions' },
      }),
      readFigures,
    ),
})
