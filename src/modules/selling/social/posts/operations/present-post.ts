import type { PartRow, PostRow } from '../queries/posts.ts'
import type { Post } from '../schema.ts'

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null

/** Presents a post in the API's format. `parts` may contain those of other posts. */
export const presentPost = (row: PostRow, parts: PartRow[]): Post => ({
  id: row.id,
  kind: row.kind,
  caption: row.caption,
  media: parts.filter(({ postId }) => postId === row.id).map(({ mediaId }) => mediaId),
  status: row.status,
  publishing: row.status === 'scheduled' && row.publishingSince !== null,
  scheduledAt: isoOrNull(row.scheduledAt),
  // Shown only once the network has both confirmed and shown the post: both are reported together.
  publishedAt: row.status === 'published' ? isoOrNull(row.publishedAt) : null,
  socialMediaId: row.status === 'published' ? row.networkMediaId : null,
  permalink: row.permalink,
  failure: row.failure === null ? null : { message: row.failure, code: row.failureCode },
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
