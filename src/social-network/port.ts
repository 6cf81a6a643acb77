/**
 * The port to the photo network. Calls go out through `SocialNetwork`; reports arrive only as `SocialReport`
 * values. Only graph/ and simulator/ know the network's HTTP API.
 */

/** A connected account with its credentials. The token is in plain text only in memory. */
export type SocialAccount = {
  /** Our id of the account. */
  id: string
  workspaceId: string
  network: 'simulator' | 'graph'
  /** The network's id of the account. */
  networkId: string
  username: string
  /** Base address of the network's API, without the version. */
  baseUrl: string
  token: string
}

/** The kinds of network errors, by the required reaction (docs/formats.md section 14). */
export type NetworkErrorKind =
  /** The token is no longer valid: an admin must connect the account again. */
  | 'token'
  /** The connection lacks a permission. */
  | 'permission'
  /** Too many calls: wait. */
  | 'throttle'
  /** The customer wrote more than 24 hours ago. */
  | 'window'
  /** The daily quota of publications is used up. */
  | 'quota'
  /** The content cannot be published or sent unchanged. */
  | 'content'
  /** The account may not do this now: it is restricted, or treated as spam. */
  | 'blocked'
  /** The named object does not exist (yet). */
  | 'missing'
  /** The network's own trouble: the same call may work later. */
  | 'transient'
  | 'other'

export type NetworkError = {
  code: number
  subcode: number | null
  message: string
  kind: NetworkErrorKind
}

/** The outcome of a call. */
export type Answered<Value> =
  | { kind: 'done'; value: Value }
  /** The network refused it; it had no effect. */
  | { kind: 'refused'; error: NetworkError; retryAfterSeconds: number | null }
  /** It never reached the network: a retry is safe. */
  | { kind: 'not_sent'; reason: string }
  /** It may have taken effect. */
  | { kind: 'unknown'; reason: string }

/** The account's own profile on the network. */
export type NetworkProfile = {
  networkId: string
  /** The other id under which the network may name the account; null if unknown. */
  scopedId: string | null
  username: string
  name: string | null
  followers: number | null
  pictureUrl: string | null
}

export type NetworkCustomer = { name: string | null; username: string | null }

/** A comment or caption in which another person mentions the account. */
export type NetworkMention = {
  /** Null: the mention is in the caption of `mediaId`. */
  commentId: string | null
  mediaId: string
  text: string | null
  username: string | null
  permalink: string | null
  at: Date | null
}

/** A post to publish: the network fetches it from `imageUrl` or `videoUrl`, which must be public. */
export type NewContainer =
  | { kind: 'image'; imageUrl: string; caption: string | null }
  /** A picture of a carousel that is created after it. */
  | { kind: 'carousel_item'; imageUrl: string }
  | { kind: 'carousel'; children: readonly string[]; caption: string | null }
  | { kind: 'reel'; videoUrl: string; caption: string | null }

/** The state of a container. It expires after 24 hours; only a finished one can be published. */
export type ContainerState = {
  status: 'in_progress' | 'finished' | 'error' | 'expired' | 'published'
  /** The network's own text. */
  detail: string | null
}

/** Publications of the account within `durationSeconds`. */
export type PublishingQuota = { used: number; total: number; durationSeconds: number }

/** A photo or video of a carousel. */
export type NetworkFile = {
  /** IMAGE or VIDEO. */
  mediaType: string
  url: string | null
  thumbnailUrl: string | null
}

/** A published post in its current state. */
export type NetworkMedia = {
  id: string
  caption: string | null
  /** IMAGE, VIDEO, or CAROUSEL_ALBUM. */
  mediaType: string
  /** FEED, REELS, STORY, or AD; null if not given. */
  productType: string | null
  url: string | null
  thumbnailUrl: string | null
  permalink: string | null
  publishedAt: Date | null
  likes: number | null
  comments: number | null
  /** Photos and videos of a carousel, in order; empty for other posts. */
  children: NetworkFile[]
}

export type MediaPage = { media: NetworkMedia[]; after: string | null }

/** Totals of a period of at most 30 days; null if the network has no data. */
export type AccountInsights = {
  reach: number | null
  views: number | null
  accountsEngaged: number | null
  totalInteractions: number | null
}

/** Totals of one post by the network's names (views, reach, likes …). */
export type MediaInsights = Record<string, number>

/** The calls about chats. Every function of the port calls once and never rejects. */
export type ChatCalls = {
  /** At most 1,000 bytes of UTF-8. */
  sendText(
    account: SocialAccount,
    message: { customerId: string; text: string },
  ): Promise<Answered<{ mid: string }>>
  findCustomer(account: SocialAccount, customerId: string): Promise<Answered<NetworkCustomer>>
}

export type CommentCalls = {
  /** Sends a direct message to the author of a comment: once, within seven days. */
  sendPrivateReply(
    account: SocialAccount,
    reply: { commentId: string; text: string },
  ): Promise<Answered<{ mid: string; customerId: string }>>
  /** Returns the network's id of the reply. */
  replyToComment(
    account: SocialAccount,
    reply: { commentId: string; text: string },
  ): Promise<Answered<{ id: string }>>
  /** Replies to a mention under another person's post; with `commentId` null, to a caption. */
  replyToMention(
    account: SocialAccount,
    reply: { mediaId: string; commentId: string | null; text: string },
  ): Promise<Answered<{ id: string }>>
  setCommentHidden(
    account: SocialAccount,
    comment: { commentId: string; hidden: boolean },
  ): Promise<Answered<{ hidden: boolean }>>
  /** Returns the text of a mention: the network's report has only ids. */
  findMention(
    account: SocialAccount,
    mention: { mediaId: string; commentId: string | null },
  ): Promise<Answered<NetworkMention>>
}

export type PublishingCalls = {
  createContainer(account: SocialAccount, container: NewContainer): Promise<Answered<{ id: string }>>
  findContainer(account: SocialAccount, containerId: string): Promise<Answered<ContainerState>>
  /** Returns the id of the published post. */
  publishContainer(account: SocialAccount, containerId: string): Promise<Answered<{ id: string }>>
  findPublishingQuota(account: SocialAccount): Promise<Answered<PublishingQuota>>
}

export type MediaCalls = {
  /** Returns the account's published posts, newest first; `after` is null for the first page. */
  listMedia(
    account: SocialAccount,
    page: { limit: number; after: string | null },
  ): Promise<Answered<MediaPage>>
  findMedia(account: SocialAccount, mediaId: string): Promise<Answered<NetworkMedia>>
  findAccountInsights(
    account: SocialAccount,
    period: { since: Date; until: Date },
  ): Promise<Answered<AccountInsights>>
  findMediaInsights(account: SocialAccount, mediaId: string): Promise<Answered<MediaInsights>>
}

export type AccountCalls = {
  findProfile(account: SocialAccount): Promise<Answered<NetworkProfile>>
  /** Returns a token that is valid longer; the current one stays valid until its own expiry. */
  refreshToken(account: SocialAccount): Promise<Answered<{ token: string; expiresInSeconds: number }>>
}

/** The calls to the network. */
export type SocialNetwork = ChatCalls & CommentCalls & PublishingCalls & MediaCalls & AccountCalls

declare module '../core/context.ts' {
  /** The calls available to operations that need the network's answer. */
  interface Outside {
    socialNetwork: SocialNetwork
    /** Returns the workspace's connected account; undefined if it has none. */
    socialAccount(workspaceId: string): Promise<SocialAccount | undefined>
    /** Returns the account of a token that is not connected yet, as the real network reports it. */
    checkSocialToken(networkId: string, token: string): Promise<Answered<NetworkProfile>>
  }
}

export type * from './report.ts'
