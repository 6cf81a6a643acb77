/** A stand-in for Chatwoot's API, made from its public description: pages, orders, errors, and faults on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ACCOUNT,
  type AccountSize,
  CANNED,
  contactOf,
  conversationOf,
  hasPhone,
  inboxesOf,
  inboxOf,
  isVip,
  LABELS,
  messageCountOf,
  messageOf,
  TOKEN,
} from './chatwoot-account.ts'

type Answer = [status: number, body: unknown, headers?: Record<string, string>]
/** The answer of a broken server: a status with headers, silence, or a closed connection. */
export type Fault = Answer | 'hang' | 'drop' | undefined

const CONTACTS_PER_PAGE = 15
const MESSAGES_PER_PAGE = 100
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export type StandInChatwoot = Awaited<ReturnType<typeof startChatwoot>>

export async function startChatwoot(size: AccountSize, { conversationsPerPage = 25 } = {}) {
  const requests: string[] = []
  const held = new Set<ServerResponse>()
  const deletedContacts = new Set<number>()
  const deletedConversations = new Set<number>()
  let faultOf: (path: string) => Fault = () => undefined
  let role = 'administrator'
  let address = ''

  const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
  const contactIds = (label: string | null) =>
    range(size.contacts).filter(
      (i) => !deletedContacts.has(i) && (label === null || (label === 'vip' && isVip(i))),
    )
  const conversationIds = (inbox: number) =>
    range(size.conversations).filter((k) => !deletedConversations.has(k) && inboxOf(k) === inbox)
  const pageOf = (ids: number[], page: number, perPage: number) =>
    ids.slice((page - 1) * perPage, page * perPage)

  const contacts = (query: URLSearchParams): Answer => {
    // Without this order, pages change while customers write.
    if (query.get('sort') !== 'created_at,phone_number') return [422, { error: 'unexpected order' }]
    const ids = contactIds(query.get('labels[]'))
    const page = Number(query.get('page'))
    return [
      200,
      {
        meta: { count: ids.length, current_page: page },
        payload: pageOf(ids, page, CONTACTS_PER_PAGE).map(contactOf),
      },
    ]
  }

  const conversations = (query: URLSearchParams): Answer => {
    if (query.get('status') !== 'all' || query.get('sort_by') !== 'created_at_asc') return [422, {}]
    const ids = conversationIds(Number(query.get('inbox_id')))
    const payload = pageOf(ids, Number(query.get('page')), conversationsPerPage).map((k) =>
      conversationOf(k, size),
    )
    return [200, { data: { meta: { mine_count: 0, all_count: ids.length }, payload } }]
  }

  const messages = (k: number, query: URLSearchParams): Answer => {
    if (k > size.conversations || deletedConversations.has(k))
      return [404, { error: 'Resource could not be found' }]
    const after = Number(query.get('after'))
    const list = range(messageCountOf(k)).map((j) => messageOf(k, j - 1, address))
    const contact = (conversationOf(k, size).meta as { sender: object }).sender
    return [
      200,
      {
        meta: { labels: [], additional_attributes: {}, contact },
        payload: list.filter(({ id }) => Number(id) > after).slice(0, MESSAGES_PER_PAGE),
      },
    ]
  }

  const inAccount = (path: string, query: URLSearchParams): Answer => {
    if (path === '/inboxes') return [200, { payload: inboxesOf(size) }]
    if (path === '/agents')
      return [200, [{ id: 1, name: 'Asha Rao', email: 'Asha@example.com', role: 'agent' }]]
    if (path === '/canned_responses') return [200, CANNED]
    if (path === '/labels') return [200, { payload: LABELS.map((title, i) => ({ id: i + 1, title })) }]
    if (path === '/contacts') return contacts(query)
    if (path === '/conversations') return conversations(query)
    const ofConversation = /^\/conversations\/(\d+)\/messages$/.exec(path)
    if (ofConversation) return messages(Number(ofConversation[1]), query)
    return [404, { error: 'Resource could not be found' }]
  }

  const answerTo = (request: IncomingMessage): Answer => {
    const { pathname, searchParams } = new URL(request.url!, address)
    if (pathname.startsWith('/rails/active_storage/'))
      return [302, '', { location: `${address}/files/${pathname.split('/').at(-1)}` }]
    if (request.headers.api_access_token !== TOKEN) return [401, { error: 'Invalid Access Token' }]
    if (pathname === '/api/v1/profile')
      return [200, { id: 1, name: 'Asha Rao', accounts: [{ id: ACCOUNT, name: 'Asha Stores', role }] }]
    const prefix = `/api/v1/accounts/${ACCOUNT}`
    return pathname.startsWith(`${prefix}/`)
      ? inAccount(pathname.slice(prefix.length), searchParams)
      : [404, { error: 'Resource could not be found' }]
  }

  const server = createServer((request, response) => {
    const path = request.url!
    requests.push(path)
    const fault = faultOf(path)
    if (fault === 'hang') return void held.add(response)
    if (fault === 'drop') return void request.socket.destroy()
    if (fault === undefined && path.startsWith('/files/')) {
      response.writeHead(request.headers.api_access_token === undefined ? 200 : 400, {
        'content-type': 'image/png',
      })
      return void response.end(PNG)
    }
    const [status, body, headers] = fault ?? answerTo(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: address,
    size,
    env: { PARLEY_EGRESS_ALLOW: '127.0.0.0/8,::1/128' },
    /** The paths of all requests so far. */
    requests,
    /** From now on, requests get the fault that `choose` returns. */
    fail: (choose: (path: string) => Fault) => {
      faultOf = choose
    },
    setRole: (next: string) => {
      role = next
    },
    deletedContacts,
    deletedConversations,
    /** Closes the connections that got no answer. */
    release: () => {
      for (const response of held) response.destroy()
      held.clear()
    },
    /** Everything that the account has, or the conversations that `includes` names, by what becomes of it. */
    expected: (includes: (conversation: number) => boolean = () => true) => expectedOf(size, includes),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Counts the messages and notes of all conversations with a phone number. */
function expectedOf(size: AccountSize, includes: (conversation: number) => boolean) {
  const counts = { served: 0, messages: 0, notes: 0, activity: 0, deleted: 0, otherInbox: 0, noPhone: 0 }
  for (let k = 1; k <= size.conversations; k++) {
    if (!includes(k)) continue
    const contact = ((k - 1) % size.contacts) + 1
    const count = messageCountOf(k)
    if (inboxOf(k) === 2) {
      counts.otherInbox++
      continue
    }
    if (!hasPhone(contact) || contact % 97 === 0) {
      counts.noPhone++
      continue
    }
    for (let j = 0; j < count; j++) {
      counts.served++
      if (j === 2) counts.activity++
      else if (j === 3) counts.notes++
      else if (j === 5) counts.deleted++
      else counts.messages++
    }
  }
  return counts
}
