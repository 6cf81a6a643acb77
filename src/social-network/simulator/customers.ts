/** Simulates people on the photo network: they write, comment, and mention, and the network reports it. */
import { later, SECOND_MS } from '../../core/clock.ts'
import { newMid } from './calls/chats.ts'
import { timestampOf } from './calls/comments.ts'
import { newNetworkId, type SimulatedAccount, type SimulatedObject, type SocialStore } from './store.ts'

/** `reportId`: the id that the app will give the first reported item, if known. */
export type Reported = { reportId: string | null; networkId: string; customerId: string }

/** Finds the customer with this username, as known to the account; creates unknown ones. */
async function meetCustomer(
  store: SocialStore,
  account: SimulatedAccount,
  username: string,
): Promise<SimulatedObject> {
  const existing = (await store.list(account, 'customer')).find(({ value }) => value.username === username)
  if (existing) return existing
  const customer = {
    kind: 'customer',
    id: newNetworkId(),
    value: { name: username, username },
    expiresAt: null,
  }
  await store.keep(account, customer)
  return { ...customer, accountId: account.networkId }
}

export type Dm = { from: string; text?: string; photos?: number; agoSeconds?: number; mid?: string }

/** Simulates a message of a customer, now or the given number of seconds ago. */
export async function writeDm(store: SocialStore, account: SimulatedAccount, dm: Dm): Promise<Reported> {
  const customer = await meetCustomer(store, account, dm.from)
  const sentAt = later(store.currentTime(), -(dm.agoSeconds ?? 0) * SECOND_MS)
  const wroteAtMs = Math.max(sentAt.getTime(), Number(customer.value.wroteAtMs ?? 0))
  await store.keep(account, { ...customer, value: { ...customer.value, wroteAtMs } })
  const mid = dm.mid ?? newMid()
  const attachments = Array.from({ length: dm.photos ?? 0 }, (_, i) => ({
    type: 'image',
    payload: { url: `https://photos.example.com/${mid}/${i + 1}.jpg` },
  }))
  const reportId = await store.report(account, {
    messaging: {
      sender: { id: customer.id },
      recipient: { id: account.networkId },
      timestamp: sentAt.getTime(),
      message: {
        mid,
        ...(dm.text === undefined ? {} : { text: dm.text }),
        ...(attachments.length > 0 ? { attachments } : {}),
      },
    },
  })
  return { reportId, networkId: mid, customerId: customer.id }
}

export type Remark = {
  from: string
  text: string
  /** The network's id of the post. Default: the account's latest. */
  mediaId?: string
  /** The network's id of the comment to reply to. */
  replyTo?: string
  /** Under another account's post, with a mention of the account. */
  mention?: boolean
  live?: boolean
}

/** Simulates a comment, a reply in a thread, or a mention of the account. */
export async function comment(
  store: SocialStore,
  account: SimulatedAccount,
  remark: Remark,
): Promise<Reported> {
  const customer = await meetCustomer(store, account, remark.from)
  const mediaId = remark.mediaId ?? (remark.mention ? newNetworkId() : await latestPost(store, account))
  const id = newNetworkId()
  const from = { id: customer.id, username: customer.value.username }
  const { text, mention = false, live = false } = remark
  await store.keep(account, {
    kind: 'comment',
    id,
    value: {
      text,
      from,
      username: customer.value.username,
      timestamp: timestampOf(store.currentTime()),
      hidden: false,
      like_count: 0,
      media_id: mediaId,
      parent_id: remark.replyTo ?? null,
      ...(mention ? { mention, permalink: `https://photos.example.com/p/${mediaId}/` } : {}),
      ...(live ? { live } : {}),
    },
    expiresAt: null,
  })
  const reportId = await store.report(
    account,
    mention
      ? { field: 'mentions', value: { media_id: mediaId, comment_id: id } }
      : {
          field: live ? 'live_comments' : 'comments',
          value: {
            id,
            ...(remark.replyTo === undefined ? {} : { parent_id: remark.replyTo }),
            from,
            text,
            media: { id: mediaId, media_product_type: 'FEED' },
          },
        },
  )
  return { reportId, networkId: id, customerId: customer.id }
}

/** Returns the account's latest post; creates an old one if there is none. */
async function latestPost(store: SocialStore, account: SimulatedAccount): Promise<string> {
  const latest = (await store.list(account, 'media')).at(-1)
  if (latest) return latest.id
  const id = newNetworkId()
  await store.keep(account, { kind: 'media', id, value: postOf(id, store.currentTime()), expiresAt: null })
  return id
}

const postOf = (id: string, time: Date): Record<string, unknown> => ({
  caption: 'New arrivals',
  media_type: 'IMAGE',
  media_product_type: 'FEED',
  media_url: `https://photos.example.com/media/${id}.jpg`,
  permalink: `https://photos.example.com/p/${id}/`,
  thumbnail_url: null,
  timestamp: timestampOf(time),
  like_count: 0,
  comments_count: 0,
})
