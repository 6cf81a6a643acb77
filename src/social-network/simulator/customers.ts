/** What people do at the simulated photo network: they write, comment and mention, and the network reports it. */
import { later, SECOND_MS } from '../../core/clock.ts'
import { newMid } from './calls/chats.ts'
import { timestampOf } from './calls/comments.ts'
import { newNetworkId, type SimulatedAccount, type SimulatedObject, type SocialStore } from './store.ts'

/** `reportId`: the id under which the app will know what was reported first, where that is known. */
export type Reported = { reportId: string | null; networkId: string; customerId: string }

/** The customer of this username, as the network knows them for the account; made where there is none. */
async function meetCustomer(
  store: SocialStore,
  account: SimulatedAccount,
  username: string,
): Promise<SimulatedObject> {
  const known = (await store.list(account, 'customer')).find(({ value }) => value.username === username)
  if (known) return known
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

/** A customer writes, or wrote so many seconds ago. */
export async function writeDm(store: SocialStore, account: SimulatedAccount, dm: Dm): Promise<Reported> {
  const customer = await meetCustomer(store, account, dm.from)
  const at = later(store.currentTime(), -(dm.agoSeconds ?? 0) * SECOND_MS)
  const wroteAtMs = Math.max(at.getTime(), Number(customer.value.wroteAtMs ?? 0))
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
      timestamp: at.getTime(),
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
  /** The network's id of the post; the account's latest unless said. */
  mediaId?: string
  /** The network's id of a comment that is replied to. */
  replyTo?: string
  /** Under somebody else's post, naming the account. */
  mention?: boolean
  live?: boolean
}

/** Somebody comments, replies in a thread, or mentions the account. */
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

/** The account's latest post; one is published where there is none, as if long ago. */
async function latestPost(store: SocialStore, account: SimulatedAccount): Promise<string> {
  const latest = (await store.list(account, 'media')).at(-1)
  if (latest) return latest.id
  const id = newNetworkId()
  await store.keep(account, { kind: 'media', id, value: postOf(id, store.currentTime()), expiresAt: null })
  return id
}

const postOf = (id: string, at: Date): Record<string, unknown> => ({
  caption: 'New arrivals',
  media_type: 'IMAGE',
  media_product_type: 'FEED',
  media_url: `https://photos.example.com/media/${id}.jpg`,
  permalink: `https://photos.example.com/p/${id}/`,
  thumbnail_url: null,
  timestamp: timestampOf(at),
  like_count: 0,
  comments_count: 0,
})
