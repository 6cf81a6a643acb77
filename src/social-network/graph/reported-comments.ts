import { isObject, textOrNull } from '../../core/values/storable.ts'
import type { ReportedComment } from '../report.ts'
import type { ReadFor } from './reports.ts'
import { networkIdOrNull, wordsOrNull } from './values.ts'

const sameName = (first: string | null, other: string): boolean =>
  first?.toLowerCase() === other.toLowerCase()

/** Returns whether the account itself wrote it: our replies are reported like the comments of others. */
function isOwn(from: Record<string, unknown>, { networkId, scopedId, username }: ReadFor): boolean {
  const id = networkIdOrNull(from.id)
  if (sameName(textOrNull(from.username), username)) return true
  return id !== null && [networkId, scopedId, networkIdOrNull(from.self_ig_scoped_id)].includes(id)
}

/** Reads a comment under one of the account's posts; undefined if it has no id. */
export function readComment(
  value: Record<string, unknown>,
  account: ReadFor,
  { at, live }: { at: Date; live: boolean },
): ReportedComment[] | undefined {
  const commentId = networkIdOrNull(value.id) ?? networkIdOrNull(value.comment_id)
  if (commentId === null) return undefined
  const from = isObject(value.from) ? value.from : {}
  const media = isObject(value.media) ? value.media : {}
  return [
    {
      kind: 'comment',
      commentId,
      mediaId: networkIdOrNull(media.id),
      parentId: networkIdOrNull(value.parent_id),
      mention: false,
      own: isOwn(from, account),
      live,
      authorId: networkIdOrNull(from.id),
      username: textOrNull(from.username),
      text: wordsOrNull(value.text),
      at,
    },
  ]
}

/**
 * Reads a mention of the account under another account's post, or in its caption: only the ids are reported.
 */
export function readMention(value: Record<string, unknown>, time: Date): ReportedComment[] | undefined {
  const [mediaId, commentId] = [networkIdOrNull(value.media_id), networkIdOrNull(value.comment_id)]
  if (mediaId === null) return undefined
  return [
    {
      kind: 'comment',
      commentId,
      mediaId,
      parentId: null,
      mention: true,
      own: false,
      live: false,
      authorId: null,
      username: null,
      text: null,
      at: time,
    },
  ]
}
