/** The network's reports, translated from its webhooks by graph/reports.ts. Ids are the network's. */

/** The text of a message, or one of its photos, videos, stories … */
export type ReportedItem = { type: string; content: Record<string, unknown> }

/** A message in a direct chat, written by the customer, or by our side in the network's own app (`echo`). */
export type DirectMessage = {
  kind: 'message' | 'echo'
  customerId: string
  mid: string
  /** Each becomes a separate message; the text is in the first. Never empty. */
  items: ReportedItem[]
  /** The message that it replies to. */
  replyTo: string | null
  at: Date
}

/** An edit or deletion of a message, a customer's reaction to one, or a read receipt. */
export type MessageChange =
  | { kind: 'edited'; mid: string; text: string; edition: number }
  | { kind: 'deleted'; mid: string }
  | { kind: 'reaction'; mid: string; reaction: string | null }
  | { kind: 'seen'; mid: string; at: Date }

/** A comment under a post, or a mention, for which the network may name only the ids. */
export type ReportedComment = {
  kind: 'comment'
  /** Null: a mention in the caption of `mediaId`. */
  commentId: string | null
  mediaId: string | null
  /** The comment that it replies to. */
  parentId: string | null
  /** It is reported as a mention. */
  mention: boolean
  /** The account wrote it itself. */
  own: boolean
  /** Written during a live broadcast: it cannot be hidden. */
  live: boolean
  authorId: string | null
  username: string | null
  text: string | null
  at: Date
}

/** A report that Parley does not process, by its field. */
export type Unrecognized = { kind: 'unrecognized'; field: string }

export type SocialReport = DirectMessage | MessageChange | ReportedComment | Unrecognized
