/**
 * A stand-in for the photo network, for accounts connected with network `graph`. It publishes as
 * docs/formats.md section 14 describes, records every call, and answers as configured.
 *
 *   const network = await standInNetwork()
 *   const parley = await boot({ env: network.env })
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import type { Tx } from '../../src/core/context.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { connectAccount } from '../../src/modules/selling/social/operations/accounts.ts'
import { type Body, SECRET_KEY } from './boot.ts'

/**
 * A call as the network received it; `name` is its method and edge, such as `POST media_publish` or `GET
 * container`.
 */
export type NetworkCall = { name: string; path: string; query: Record<string, string>; body: Body }
type Reply = { status: number; body: object; headers?: Record<string, string> }
/**
 * Handles a call: `act` carries it out and returns the network's answer. A `lost` answer closes the
 * connection; without a return value the call gets no answer.
 */
export type Meddling = (
  call: NetworkCall,
  act: () => Reply,
) => Reply | 'lost' | undefined | Promise<Reply | 'lost' | undefined>

export type NetworkMedia = {
  id: string
  caption: string
  type: string
  at: Date
  likes: number
  comments: number
  /** The kinds of a carousel's files: IMAGE or VIDEO. */
  files?: string[]
}
type Container = {
  id: string
  kind: string
  caption: string
  item: boolean
  state: string
  mediaId: string | null
}

export const networkError = (code: number, subcode?: number, message = 'No.', status = 400): Reply => ({
  status,
  body: { error: { message, type: 'OAuthException', code, error_subcode: subcode, fbtrace_id: 'A' } },
})
const okReply = (body: object): Reply => ({ status: 200, body })

/** The connected accounts, by the network's ids. */
const accountIds = new Set<string>()

export async function standInNetwork(clock: Pick<Clock, 'now'> = systemClock) {
  const calls: NetworkCall[] = []
  const containers = new Map<string, Container>()
  const media: NetworkMedia[] = []
  let meddle: Meddling = (_, act) => act()
  let nextId = 17_900_000_000_000_000n
  /** The state of new containers. */
  const settings = { firstState: 'FINISHED', quotaUsed: 0, insights: (): object[] => [] }
  const newId = (): string => String(nextId++)

  const typeOf = (body: Body): string =>
    body.media_type === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : body.media_type === 'REELS' ? 'VIDEO' : 'IMAGE'

  const mediaFields = (item: NetworkMedia) => ({
    id: item.id,
    ...(item.caption === '' ? {} : { caption: item.caption }),
    media_type: item.type,
    media_product_type: item.type === 'VIDEO' ? 'REELS' : 'FEED',
    media_url: `https://photos.example/${item.id}.jpg`,
    permalink: `https://photos.example/p/${item.id}/`,
    timestamp: item.at.toISOString().replace(/\.\d+Z$/, '+0000'),
    like_count: item.likes,
    comments_count: item.comments,
    ...(item.files && {
      children: {
        data: item.files.map((type, i) => ({
          id: `${item.id}${i + 1}`,
          media_type: type,
          media_url: `https://photos.example/${item.id}-${i + 1}.${type === 'VIDEO' ? 'mp4' : 'jpg'}`,
          ...(type === 'VIDEO' && { thumbnail_url: `https://photos.example/${item.id}-${i + 1}.jpg` }),
        })),
      },
    }),
  })

  function publish(container: Container | undefined): Reply {
    if (!container || container.item) return networkError(24, 2207006, 'The media is not there.')
    if (container.state !== 'FINISHED') return networkError(9007, 2207027, 'The media is not ready.')
    const id = newId()
    container.state = 'PUBLISHED'
    container.mediaId = id
    media.unshift({
      id,
      caption: container.caption,
      type: container.kind,
      at: clock.now(),
      likes: 0,
      comments: 0,
    })
    return okReply({ id })
  }

  const plays: Record<string, (call: NetworkCall, id: string) => Reply> = {
    'POST media': ({ body }) => {
      const id = newId()
      containers.set(id, {
        id,
        kind: typeOf(body),
        caption: body.caption ?? '',
        item: body.is_carousel_item === true,
        state: body.is_carousel_item ? 'FINISHED' : settings.firstState,
        mediaId: null,
      })
      return okReply({ id })
    },
    'GET container': (_, id) => okReply({ status_code: containers.get(id)!.state, status: 'Its words', id }),
    'POST media_publish': ({ body }) => publish(containers.get(body.creation_id)),
    'GET content_publishing_limit': () =>
      okReply({
        data: [{ quota_usage: settings.quotaUsed, config: { quota_total: 100, quota_duration: 86_400 } }],
      }),
    'GET media': ({ query }) => okReply({ data: media.slice(0, Number(query.limit ?? 25)).map(mediaFields) }),
    'GET post': (_, id) => okReply(mediaFields(media.find((item) => item.id === id)!)),
    'GET account': (_, id) => okReply({ id, user_id: id, username: 'our_shop', followers_count: 1_200 }),
    'GET insights': () => okReply({ data: settings.insights() }),
  }

  /** Returns the id that a path names, and the action. */
  function readCall(method: string, path: string): { id: string; name: string } {
    const [id = '', edge = ''] = path.replace(/^\/v[\d.]+\//, '').split('/')
    if (edge !== '') return { id, name: `${method} ${edge}` }
    if (containers.has(id)) return { id, name: `${method} container` }
    if (accountIds.has(id)) return { id, name: `${method} account` }
    return { id, name: media.some((item) => item.id === id) ? `${method} post` : `${method} ${id}` }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const { id, name } = readCall(request.method ?? 'GET', url.pathname)
    const text = Buffer.concat(chunks).toString('utf8')
    const call: NetworkCall = {
      name,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: text === '' ? {} : JSON.parse(text),
    }
    calls.push(call)
    const reply = await meddle(call, () => plays[name]?.(call, id) ?? networkError(100, 33, `No ${name}.`))
    if (reply === 'lost') request.socket.destroy()
    else if (reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      response.end(JSON.stringify(reply.body))
    }
  }

  // A request that broke off in its body has no effect.
  const server = createServer((request, response) => void take(request, response).catch(() => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    env: { PARLEY_SOCIAL_URL: `http://127.0.0.1:${port}` },
    /** Every call, in order. */
    calls,
    named: (name: string) => calls.filter((call) => call.name === name),
    containers,
    /** The published posts, newest first. */
    media,
    settings,
    meddle: (next: Meddling) => {
      meddle = next
    },
    /** Restores the initial behavior; published posts stay. */
    reset() {
      meddle = (_, act) => act()
      Object.assign(settings, { firstState: 'FINISHED', quotaUsed: 0, insights: () => [] })
      calls.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type StandInNetwork = Awaited<ReturnType<typeof standInNetwork>>

/** Connects a workspace to its own account there; returns our id of the account. */
export async function connectToStandIn(
  { system }: { system<T>(work: (tx: Tx) => Promise<T>): Promise<T> },
  workspaceId: string,
): Promise<string> {
  const networkId = `1784${String(Math.random()).slice(2, 15).padEnd(13, '0')}`
  accountIds.add(networkId)
  const { accountId } = await system((tx) =>
    connectAccount(
      tx,
      {
        workspaceId,
        network: 'graph',
        profile: { networkId, scopedId: null, username: 'our_shop', name: 'Our shop' },
        token: 'token',
        appSecret: 'secret',
        verifyToken: 'verify',
      },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
  return accountId
}
