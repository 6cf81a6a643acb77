/**
 * The photo network as the rest of Parley sees it. Calls go out through `SocialNetwork`; what the network reports comes
 * back only as `SocialReport` values. What the network's HTTP API looks like is known to graph/ and simulator/ alone.
 */

/** A connected account with what it takes to speak for it. The token is in the clear only in memory. */
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

/** What an error of the network asks for (docs/formats.md section 14). */
export type NetworkErrorKind =
  /** The token is not taken any more: somebody has to connect the account again. */
  | 'token'
  /** The connection lacks a permission. */
  | 'permission'
  /** Too many calls: wait. */
  | 'throttle'
  /** The customer wrote more than 24 hours ago. */
  | 'window'
  /** The publications of a day are used up. */
  | 'quota'
  /** The content cannot be published or sent as it is. */
  | 'content'
  /** The account may not do this now: restricted, or taken for spam. */
  | 'blocked'
  /** What is named is not there (yet). */
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

/** How a call ended. */
export type Answered<Value> =
  | { kind: 'done'; value: Value }
  /** The network refused it; nothing was done. */
  | { kind: 'refused'; error: NetworkError; retryAfterSeconds: number | null }
  /** It never reached the network: trying again is safe. */
  | { kind: 'not_sent'; reason: string }
  /** It may have been done. */
  | { kind: 'unknown'; reason: string }

/** The account itself, as the network shows it. */
export type NetworkProfile = {
  networkId: string
  /** The other id under which the network may name the account; null when it shows one. */
  scopedId: string | null
  username: string
  name: string | null
  followers: number | null
}

export type NetworkCustomer = { name: string | null; username: string | null }

/** A comment or a caption in which somebody else mentions the account. */
export type NetworkMention = {
  /** Null: the mention stands in the caption of `mediaId`. */
  commentId: string | null
  mediaId: string
  text: string | null
  username: string | null
  permalink: string | null
  at: Date | null
}

/** One post on its way: the network fetches it from `imageUrl` or `videoUrl`, which must be public. */
export type NewContainer =
  | { kind: 'image'; imageUrl: string; caption: string | null }
  /** A picture of a carousel that comes after it. */
  | { kind: 'carousel_item'; imageUrl: string }
  | { kind: 'carousel'; children: readonly string[]; caption: string | null }
  | { kind: 'reel'; videoUrl: string; caption: string | null }

/** A container lives 24 hours; only a finished one can be published. */
export type ContainerState = {
  status: 'in_progress' | 'finished' | 'error' | 'expired' | 'published'
  /** The network's own words. */
  detail: string | null
}

/** Publications of the account within `durationSeconds`. */
export type PublishingQuota = { used: number; total: number; durationSeconds: number }

/** A published post as the network shows it now. */
export type NetworkMedia = {
  id: string
  caption: string | null
  /** IMAGE, VIDEO or CAROUSEL_ALBUM. */
  mediaType: string
  /** FEED, REELS, STORY or AD; null when it does not say. */
  productType: string | null
  url: string | null
  thumbnailUrl: string | null
  permalink: string | null
  publishedAt: Date | null
  likes: number | null
  comments: number | null
}

export type MediaPage = { media: NetworkMedia[]; after: string | null }

/** Totals of one stretch of at most 30 days; null where the network has no data. */
export type AccountInsights = {
  reach: number | null
  views: number | null
  accountsEngaged: number | null
  totalInteractions: number | null
}

/** Totals of one post by the network's names (views, reach, likes …). */
export type MediaInsights = Record<string, number>

/** Chats. Every function of the port calls once and never rejects. */
export type ChatCalls = {
  /** At most 1,000 bytes of UTF-8. */
  sendText(
    account: SocialAccount,
    message: { customerId: string; text: string },
  ): Promise<Answered<{ mid: string }>>
  findCustomer(account: SocialAccount, customerId: string): Promise<Answered<NetworkCustomer>>
}

export type CommentCalls = {
  /** Answers the network's id of the reply. */
  replyToComment(
    account: SocialAccount,
    reply: { commentId: string; text: string },
  ): Promise<Answered<{ id: string }>>
  /** Replies under somebody else's post; `commentId` null answers a caption. */
  replyToMention(
    account: SocialAccount,
    reply: { mediaId: string; commentId: string | null; text: string },
  ): Promise<Answered<{ id: string }>>
  setCommentHidden(
    account: SocialAccount,
    comment: { commentId: string; hidden: boolean },
  ): Promise<Answered<{ hidden: boolean }>>
  /** What a mention says: the network's report names only ids. */
  findMention(
    account: SocialAccount,
    mention: { mediaId: string; commentId: string | null },
  ): Promise<Answered<NetworkMention>>
}

export type PublishingCalls = {
  createContainer(account: SocialAccount, container: NewContainer): Promise<Answered<{ id: string }>>
  findContainer(account: SocialAccount, containerId: string): Promise<Answered<ContainerState>>
  /** Answers the id of the published post. */
  publishContainer(account: SocialAccount, containerId: string): Promise<Answered<{ id: string }>>
  findPublishingQuota(account: SocialAccount): Promise<Answered<PublishingQuota>>
}

export type MediaCalls = {
  /** The account's published posts, newest first; `after` null for the first page. */
  listMedia(
    account: SocialAccount,
    page: { limit: number; after: string | null },
  ): Promise<Answered<MediaPage>>
  findMedia(account: SocialAccount, mediaId: string): Promise<Answered<NetworkMedia>>
  findAccountInsights(
    account: SocialAccount,
    stretch: { since: Date; until: Date },
  ): Promise<Answered<AccountInsights>>
  findMediaInsights(account: SocialAccount, mediaId: string): Promise<Answered<MediaInsights>>
}

export type AccountCalls = {
  findProfile(account: SocialAccount): Promise<Answered<NetworkProfile>>
  /** Answers a token that lives longer; the one it is asked with goes on until its own end. */
  refreshToken(account: SocialAccount): Promise<Answered<{ token: string; expiresInSeconds: number }>>
}

/** What can be asked of the network. */
export type SocialNetwork = ChatCalls & CommentCalls & PublishingCalls & MediaCalls & AccountCalls

declare module '../core/context.ts' {
  /** What operations that must answer with the network's word may call. */
  interface Outside {
    socialNetwork: SocialNetwork
    /** The workspace's connected account; undefined when it has none. */
    socialAccount(workspaceId: string): Promise<SocialAccount | undefined>
  }
}

export type * from './report.ts'
