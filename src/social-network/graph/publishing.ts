import { isObject, objectsIn, textOrNull } from '../../core/values/storable.ts'
import type { ContainerState, NewContainer, PublishingCalls } from '../port.ts'
import { type Line, readAnswer, segment } from './line.ts'
import { countOrNull, networkIdOrNull } from './values.ts'

const readId = (value: Record<string, unknown>): { id: string } | undefined => {
  const id = networkIdOrNull(value.id)
  return id === null ? undefined : { id }
}

const captionOf = (caption: string | null) => (caption === null ? {} : { caption })

function containerBody(container: NewContainer): Record<string, unknown> {
  switch (container.kind) {
    case 'image':
      return { image_url: container.imageUrl, ...captionOf(container.caption) }
    case 'carousel_item':
      return { image_url: container.imageUrl, is_carousel_item: true }
    case 'carousel':
      return { media_type: 'CAROUSEL', children: container.children, ...captionOf(container.caption) }
    case 'reel':
      return { media_type: 'REELS', video_url: container.videoUrl, ...captionOf(container.caption) }
  }
}

const STATES: Record<string, ContainerState['status']> = {
  IN_PROGRESS: 'in_progress',
  FINISHED: 'finished',
  ERROR: 'error',
  EXPIRED: 'expired',
  PUBLISHED: 'published',
}

const QUOTA_DEFAULT = { total: 100, durationSeconds: 86_400 }

export const publishingCalls = (line: Line): PublishingCalls => ({
  createContainer: async (account, container) =>
    readAnswer(
      await line(account, {
        method: 'POST',
        path: `${segment(account.networkId)}/media`,
        json: containerBody(container),
      }),
      readId,
    ),
  findContainer: async (account, containerId) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: segment(containerId),
        query: { fields: 'status_code,status' },
      }),
      (value) => {
        const status = STATES[String(value.status_code)]
        return status === undefined ? undefined : { status, detail: textOrNull(value.status) }
      },
    ),
  publishContainer: async (account, containerId) =>
    readAnswer(
      await line(account, {
        method: 'POST',
        path: `${segment(account.networkId)}/media_publish`,
        json: { creation_id: containerId },
      }),
      readId,
    ),
  findPublishingQuota: async (account) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: `${segment(account.networkId)}/content_publishing_limit`,
        query: { fields: 'quota_usage,config' },
      }),
      (value) => {
        const [row] = objectsIn(value.data)
        const used = countOrNull(row?.quota_usage)
        if (used === null) return undefined
        const config = isObject(row?.config) ? row.config : {}
        return {
          used,
          total: countOrNull(config.quota_total) ?? QUOTA_DEFAULT.total,
          durationSeconds: countOrNull(config.quota_duration) ?? QUOTA_DEFAULT.durationSeconds,
        }
      },
    ),
})
