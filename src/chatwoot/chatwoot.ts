/** The reads of Chatwoot's API (docs/guides/from-chatwoot.md names the versions). */
import type { Clock } from '../core/clock.ts'
import type { Spool } from '../core/spool.ts'
import { isObject, objectsIn } from '../core/values/storable.ts'
import type { Egress } from '../egress/egress.ts'
import { downloader } from './download.ts'
import { type Line, openLine, refused } from './line.ts'
import type { Chatwoot, ChatwootAccount, ChatwootAnswer } from './port.ts'
import {
  agentIn,
  cannedResponseIn,
  contactIn,
  conversationIn,
  countIn,
  idIn,
  inboxIn,
  type Json,
  labelTitleIn,
  messageIn,
  readAll,
  textIn,
} from './read.ts'
import { type Pause, withRetries } from './retry.ts'

export type ChatwootOptions = {
  egress: Pick<Egress, 'prepareTarget' | 'get' | 'open'>
  spool: Spool
  clock: Pick<Clock, 'now'>
  /** Waits before another attempt. */
  pause: Pause
}

const noAccount = refused('account', "Chatwoot doesn't have this account, or the token has no access to it.")
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

export function createChatwoot({ egress, spool, clock, pause }: ChatwootOptions): Chatwoot {
  const readOnce = openLine({ egress, timeMs: () => clock.now().getTime() })
  const line: Line = (account, path) => withRetries(pause, () => readOnce(account, path))
  const downloadOnce = downloader({ egress, spool })

  /** Reads a list of the account, which exists as long as the account does. */
  async function list<Value>(
    account: ChatwootAccount,
    path: string,
    read: (value: unknown) => Value,
  ): Promise<ChatwootAnswer<Value>> {
    const answer = await line(account, `/api/v1/accounts/${account.accountId}${path}`)
    if (answer.kind === 'gone') return noAccount
    return answer.kind === 'done' ? { kind: 'done', value: read(answer.value) } : answer
  }

  return {
    describe: (account) => describe(readOnce, account),
    listInboxes: (account) => list(account, '/inboxes', (value) => readAll(objectOf(value).payload, inboxIn)),
    listAgents: (account) => list(account, '/agents', (value) => readAll(value, agentIn)),
    listCannedResponses: (account) =>
      list(account, '/canned_responses', (value) => readAll(value, cannedResponseIn)),
    listLabels: (account) =>
      list(account, '/labels', (value) => readAll(objectOf(value).payload, labelTitleIn)),
    listContacts: (account, { page, label }) => {
      // Contacts from one file share their time, so the number decides between them.
      const query = new URLSearchParams({
        page: String(page),
        sort: 'created_at,phone_number',
        include_contact_inboxes: 'false',
        ...(label === undefined ? {} : { 'labels[]': label }),
      })
      return list(account, `/contacts?${query}`, (value) => ({
        total: countIn(objectOf(objectOf(value).meta).count),
        size: objectsIn(objectOf(value).payload).length,
        entries: readAll(objectOf(value).payload, contactIn),
      }))
    },
    listConversations: (account, { page, inboxId }) => {
      const query = new URLSearchParams({
        status: 'all',
        assignee_type: 'all',
        inbox_id: String(inboxId),
        sort_by: 'created_at_asc',
        page: String(page),
      })
      return list(account, `/conversations?${query}`, (value) => {
        const data = objectOf(objectOf(value).data)
        return {
          total: countIn(objectOf(data.meta).all_count),
          size: objectsIn(data.payload).length,
          entries: readAll(data.payload, conversationIn),
        }
      })
    },
    async listMessages(account, { conversationId, afterId }) {
      const path = `/api/v1/accounts/${account.accountId}/conversations/${conversationId}/messages?after=${afterId}`
      const answer = await line(account, path)
      if (answer.kind !== 'done') return answer
      const body = objectOf(answer.value)
      return {
        kind: 'done',
        value: {
          contact: contactIn(objectOf(body.meta).contact),
          messages: readAll(body.payload, messageIn).sort((a, b) => a.id - b.id),
          size: objectsIn(body.payload).length,
          lastId: objectsIn(body.payload).reduce((last, { id }) => Math.max(last, idIn(id) ?? 0), 0),
        },
      }
    },
    download: (account, file) => withRetries(pause, () => downloadOnce(account, file)),
  }
}

async function describe(line: Line, account: ChatwootAccount): Promise<ChatwootAnswer<{ name: string }>> {
  const answer = await line(account, '/api/v1/profile')
  if (answer.kind === 'gone') return refused('url', 'There is no Chatwoot at this address.')
  if (answer.kind !== 'done') return answer
  const accounts = objectsIn(objectOf(answer.value).accounts)
  const found = accounts.find(({ id }) => idIn(id) === account.accountId)
  if (!found) {
    const others = accounts.slice(0, 10).flatMap(({ id }) => idIn(id) ?? [])
    return refused(
      'account',
      others.length === 0
        ? "The token's user has no account in this Chatwoot."
        : `The token has no access to account ${account.accountId}. It has access to: ${others.join(', ')}.`,
    )
  }
  // Agents see only the inboxes that they belong to.
  if (found.role !== 'administrator')
    return refused(
      'token',
      "The token is an agent's. Use the access token of an administrator of the account.",
    )
  return { kind: 'done', value: { name: textIn(found.name, 200) ?? `Account ${account.accountId}` } }
}
