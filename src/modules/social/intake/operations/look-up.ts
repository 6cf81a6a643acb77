/**
 * What the network's reports leave out and its API answers: who a customer is, what a mention says, where a post can be
 * looked at. Asked before anything is applied, outside any transaction, and not for long.
 */
import { SECOND_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type {
  Answered,
  NetworkCustomer,
  NetworkMention,
  ReportedComment,
  SocialAccount,
  SocialNetwork,
  SocialReport,
} from '../../../../social-network/port.ts'
import { findContactsForSend } from '../../../contacts/operations/find-contact.ts'
import { listPermalinks } from '../../comments/queries/comments.ts'

/** A post by what it shows; `ours` false: the network shows it to nobody but its owner. */
export type KnownPost = { permalink: string | null; ours: boolean }

export type Found = {
  customers: Map<string, NetworkCustomer>
  /** By the id of the comment, or of the post whose caption it is; null: the network will not say. */
  mentions: Map<string, NetworkMention | null>
  posts: Map<string, KnownPost>
}

/** Questions at once, and for how long all of them may take. */
const MAX_AT_ONCE = 8
const PATIENCE_MS = 4 * SECOND_MS

/** The id under which a mention is looked for. */
export const mentionKey = ({ commentId, mediaId }: ReportedComment): string => commentId ?? mediaId ?? ''

export type LookUp = {
  network: SocialNetwork
  /** Undefined: there is nobody to ask for. */
  account: SocialAccount | undefined
  pause(ms: number): Promise<unknown>
}

type Known = { customers: Set<string>; posts: Map<string, KnownPost> }

/** What the workspace knows already of those who are reported. */
export async function readKnown(ctx: Context, reports: SocialReport[]): Promise<Known> {
  const customerIds = customersOf(reports)
  const mediaIds = postsOf(reports)
  const [contacts, posts] = await Promise.all([
    findContactsForSend(
      ctx,
      customerIds.map((id) => ({ workspaceId: ctx.workspace.id, phone: `sx:${id}`, userId: null })),
    ),
    mediaIds.length === 0 ? [] : listPermalinks(ctx.tx, ctx.workspace.id, mediaIds),
  ])
  return {
    customers: new Set(customerIds.filter((_, i) => (contacts[i]?.username ?? null) !== null)),
    posts: new Map(posts.map(({ mediaId, permalink }) => [mediaId, { permalink, ours: permalink !== null }])),
  }
}

const customersOf = (reports: SocialReport[]): string[] => [
  ...new Set(
    reports.flatMap((one) => (one.kind === 'message' || one.kind === 'echo' ? [one.customerId] : [])),
  ),
]

const postsOf = (reports: SocialReport[]): string[] => [
  ...new Set(
    reports.flatMap((one) =>
      one.kind === 'comment' && !one.mention && !one.own && one.mediaId !== null ? [one.mediaId] : [],
    ),
  ),
]

/** Asks what is not known. What is not answered in time is left out. */
export async function lookUp(reports: SocialReport[], known: Known, at: LookUp): Promise<Found> {
  const found: Found = { customers: new Map(), mentions: new Map(), posts: new Map(known.posts) }
  const { account, network } = at
  if (!account) return found
  const questions: (() => Promise<void>)[] = [
    ...customersOf(reports)
      .filter((id) => !known.customers.has(id))
      .map((id) => async () => {
        const answered = await network.findCustomer(account, id)
        if (answered.kind === 'done') found.customers.set(id, answered.value)
      }),
    ...reports.flatMap((one) =>
      one.kind === 'comment' && one.mention && one.mediaId !== null
        ? [
            async () => {
              const { mediaId, commentId } = one as { mediaId: string; commentId: string | null }
              const answered = await network.findMention(account, { mediaId, commentId })
              if (answered.kind === 'done') found.mentions.set(mentionKey(one), answered.value)
              else if (isFinal(answered)) found.mentions.set(mentionKey(one), null)
            },
          ]
        : [],
    ),
    ...postsOf(reports)
      .filter((id) => !known.posts.has(id))
      .map((id) => async () => {
        const answered = await network.findMedia(account, id)
        if (answered.kind === 'done') found.posts.set(id, { permalink: answered.value.permalink, ours: true })
        else if (isFinal(answered)) found.posts.set(id, { permalink: null, ours: false })
      }),
  ]
  await Promise.race([askAll(questions), at.pause(PATIENCE_MS)])
  // Answers that come later change nothing of what is applied.
  return {
    customers: new Map(found.customers),
    mentions: new Map(found.mentions),
    posts: new Map(found.posts),
  }
}

/** Whether asking again would be answered the same. */
const isFinal = (answered: Answered<unknown>): boolean =>
  answered.kind === 'refused' && ['missing', 'content', 'permission', 'other'].includes(answered.error.kind)

async function askAll(questions: (() => Promise<void>)[]): Promise<void> {
  const waiting = [...questions]
  const ask = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next()
  }
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, questions.length) }, ask))
}
