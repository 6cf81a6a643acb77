import { isObject, textOrNull } from '../../core/values/storable.ts'
import type { CommentCalls, NetworkMention } from '../port.ts'
import { type Line, readAnswer, segment } from './line.ts'
import { networkIdOrNull, timeOrNull } from './values.ts'

const readId = (value: Record<string, unknown>): { id: string } | undefined => {
  const id = networkIdOrNull(value.id)
  return id === null ? undefined : { id }
}

export const commentCalls = (line: Line): CommentCalls => ({
  sendPrivateReply: async (account, { commentId, text }) =>
    readAnswer(
      await line(account, {
        method: 'POST',
        path: `${segment(account.networkId)}/messages`,
        json: { recipient: { comment_id: commentId }, message: { text } },
        once: true,
      }),
      (value) => {
        const [mid, customerId] = [networkIdOrNull(value.message_id), networkIdOrNull(value.recipient_id)]
        return mid === null || customerId === null ? undefined : { mid, customerId }
      },
    ),
  replyToComment: async (account, { commentId, text }) =>
    readAnswer(
      await line(account, {
        method: 'POST',
        path: `${segment(commentId)}/replies`,
        json: { message: text },
        once: true,
      }),
      readId,
    ),
  replyToMention: async (account, { mediaId, commentId, text }) =>
    readAnswer(
      await line(account, {
        method: 'POST',
        path: `${segment(account.networkId)}/mentions`,
        json: {
          media_id: mediaId,
          ...(commentId === null ? {} : { comment_id: commentId }),
          message: text,
        },
        once: true,
      }),
      readId,
    ),
  setCommentHidden: async (account, { commentId, hidden }) =>
    readAnswer(
      await line(account, { method: 'POST', path: segment(commentId), json: { hide: hidden } }),
      (value) => (value.success === true ? { hidden } : undefined),
    ),
  findMention: async (account, mention) =>
    readAnswer(
      await line(account, {
        method: 'GET',
        path: segment(account.networkId),
        query: { fields: mentionFields(mention) },
      }),
      (value) => readMention(value, mention),
    ),
})

type Mentioned = { mediaId: string; commentId: string | null }

/** Keeps only characters of the network's ids, so that no id can close the parentheses. */
const plain = (id: string): string => id.replace(/[^\w.:-]/g, '')

const mentionFields = ({ mediaId, commentId }: Mentioned): string =>
  commentId === null
    ? `mentioned_media.media_id(${plain(mediaId)}){id,caption,username,permalink,timestamp}`
    : `mentioned_comment.comment_id(${plain(commentId)}){id,text,username,timestamp,media{id,permalink}}`

function readMention(value: Record<string, unknown>, of: Mentioned): NetworkMention | undefined {
  if (of.commentId === null) {
    const media = value.mentioned_media
    if (!isObject(media)) return undefined
    return {
      ...of,
      text: textOrNull(media.caption),
      username: textOrNull(media.username),
      permalink: textOrNull(media.permalink),
      at: timeOrNull(media.timestamp),
    }
  }
  const comment = value.mentioned_comment
  if (!isObject(comment)) return undefined
  const media = isObject(comment.media) ? comment.media : {}
  return {
    ...of,
    text: textOrNull(comment.text),
    username: textOrNull(comment.username),
    permalink: textOrNull(media.permalink),
    at: timeOrNull(comment.timestamp),
  }
}
