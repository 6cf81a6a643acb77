/**
 * Looks up data that the network's reports lack: customers, texts of mentions, addresses of posts. Runs
 * before the reports are applied, outside transactions, for a limited time.
 */
import { SECOND_MS } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import type {
  Answered,
  NetworkCustomer,
  NetworkMention,
  ReportedComment,
  SocialAccount,
  SocialNetwork,
  SocialReport,
} from '../../../../../social-network/port.ts'
import { findContactsForSend } from '../../../../messaging/contacts/operations/find-contact.ts'
import { listPermalinks } from '../../comments/queries/comments.ts'

/** A post with its address; `ours` false: the network shows it only to its owner. */
export type KnownPost = { permalink: string | null; ours: boolean }

export type LookUpResult = {
  customers: Map<string, NetworkCustomer>
  /** By the id of the comment, or of the post with the caption; null: the network refuses the text. */
  mentions: Map<string, NetworkMention | null>
  posts: Map<string, KnownPost>
}

/** The maximum of parallel requests, and the time for all of them. */
const MAX_AT_ONCE = 8
const PATIENCE_MS = 4 * SECOND_MS

/** The id by which a mention is looked up. */
export const mentionKey = ({ commentId, mediaId }: ReportedComment): string => commentId ?? mediaId ?? ''

export type LookUp = {
  network: SocialNetwork
  /** Undefined: there is no account for the request. */
  account: SocialAccount | undefined
  pause(ms: number): Promise<unknown>
}

type KnownData = { customers: Set<string>; posts: Map<string, KnownPost> }

/** Reads the known data about the people and posts in reports. */
export async function readKnown(ctx: Context, reports: SocialReport[]): Promise<KnownData> {
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
    reports.flatMap((report) =>
      report.kind === 'message' || report.kind === 'echo' ? [report.customerId] : [],
    ),
  ),
]

const postsOf = (reports: SocialReport[]): string[] => [
  ...new Set(
    reports.flatMap((report) =>
      report.kind === 'comment' && !report.mention && !report.own && report.mediaId !== null
        ? [report.mediaId]
        : [],
    ),
  ),
]

/** Requests the missing data. Answers that are late are left out. */
export async function lookUp(
  reports: SocialReport[],
  knownData: KnownData,
  options: LookUp,
): Promise<LookUpResult> {
  const found: LookUpResult = { customers: new Map(), mentions: new Map(), posts: new Map(knownData.posts) }
  const { account, network } = options
  if (!account) return found
  const questions: (() => Promise<void>)[] = [
    ...customersOf(reports)
      .filter((id) => !knownData.customers.has(id))
      .map((id) => async () => {
        const answer = await network.findCustomer(account, id)
        if (answer.kind === 'done') found.customers.set(id, answer.value)
      }),
    ...reports.flatMap((report) =>
      report.kind === 'comment' && report.mention && report.mediaId !== null
        ? [
            async () => {
              const { mediaId, commentId } = report as { mediaId: string; commentId: string | null }
              const answer = await network.findMention(account, { mediaId, commentId })
              if (answer.kind === 'done') found.mentions.set(mentionKey(report), answer.value)
              else if (isFinal(answer)) found.mentions.set(mentionKey(report), null)
            },
          ]
        : [],
    ),
    ...postsOf(reports)
      .filter((id) => !knownData.posts.has(id))
      .map((id) => async () => {
        const answer = await network.findMedia(account, id)
        if (answer.kind === 'done') found.posts.set(id, { permalink: answer.value.permalink, ours: true })
        else if (isFinal(answer)) found.posts.set(id, { permalink: null, ours: false })
      }),
  ]
  await Promise.race([askAll(questions), options.pause(PATIENCE_MS)])
  // Later answers do not change the reports being applied.
  return {
    customers: new Map(found.customers),
    mentions: new Map(found.mentions),
    posts: new Map(found.posts),
  }
}

/** Returns whether another request would get the same answer. */
const isFinal = (answer: Answered<unknown>): boolean =>
  answer.kind === 'refused' && ['missing', 'content', 'permission', 'other'].includes(answer.error.kind)

async function askAll(questions: (() => Promise<void>)[]): Promise<void> {
  const waitingQuestions = [...questions]
  const work = async (): Promise<void> => {
    for (let next = waitingQuestions.shift(); next; next = waitingQuestions.shift()) await next()
  }
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, questions.length) }, work))
}
