/**
 * Stores messages in the browser and sends each under one key, retried for a minute; then the writer decides.
 * A page that opens does not send messages older than two minutes itself: they wait for review. A message
 * that goes out later than it was written is held if a teammate answered meanwhile.
 */
import { useSyncExternalStore } from 'react'
import type { Api, Message } from '../../sdk/api.ts'
import { readDirectMessages } from './direct-messages.ts'
import { ApiError, isPassing, messageOf } from './errors.ts'
import { newId } from './new-id.ts'
import { call } from './request.ts'
import { isAccountUnchanged } from './shown-account.ts'
import { canStore, readStored, storedNames, writeStored } from './storage.ts'
import { t } from './texts.ts'

export type SendBody = Api['POST /send']['body']
export type OutboxEntry = {
  /** The Idempotency-Key, which makes the server send the message at most once. */
  key: string
  workspace: string
  conversationId: string
  /** The chat is a direct chat of the photo network, which takes only text. */
  isDirect?: true | undefined
  body: SendBody
  /** The text of the bubble until then. */
  preview: string
  createdAt: number
  /**
   * `delayed`: sent at `sendAt` unless the writer undoes it. `held`: waits for the writer's decision, because
   * of `answer`.
   */
  state: 'delayed' | 'sending' | 'sent' | 'failed' | 'held'
  /**
   * The newest message of the chat that the writer had seen; undefined if unknown, and then the message is
   * never held.
   */
  since?: string | undefined
  /** There was no connection when it was written. */
  isLate?: true
  /** The member who wrote it. */
  writer: string
  answer?: TeammateAnswer
  sendAt?: number
  /** The draft that the writer gets back after undo. */
  restore?: Restorable
  messageId?: string
  error?: { code: string; message: string }
}

/** A teammate's answer. */
export type TeammateAnswer = Pick<Message, 'id' | 'createdAt'> & { sentBy: string }

export type Restorable = { text?: string; files?: unknown[]; part?: unknown }

const TRY_MS = 60_000
const STALE_MS = 120_000
/** The maximum delay after which a tab still sends a message that it held back. */
const GRACE_MS = 2_000
/**
 * The time in which a tab reads messages that another tab has read; usually the stream reports them
 * immediately.
 */
const SEEN_WITHIN_MS = 10_000
/** A message sent within this time after it was written was written with current knowledge of the chat. */
const AT_ONCE_MS = 300
/** The number of our newest messages in a chat that are checked. */
const LOOKED_AT = 50
const NAME = 'outbox.'

let entries: OutboxEntry[] = storedNames(NAME)
  .map((name) => readStored<OutboxEntry>(name))
  .filter((entry) => entry !== undefined)
  .sort((a, b) => a.createdAt - b.createdAt)
const listeners = new Set<() => void>()

function storeEntry(entry: OutboxEntry): void {
  entries = [...entries.filter(({ key }) => key !== entry.key), entry].sort(
    (a, b) => a.createdAt - b.createdAt,
  )
  writeStored(NAME + entry.key, entry)
  for (const listener of listeners) listener()
}

const isStored = (key: string): boolean => !canStore() || readStored(NAME + key) !== undefined

function removeEntry(key: string): void {
  entries = entries.filter((entry) => entry.key !== key)
  writeStored(NAME + key, undefined)
  for (const listener of listeners) listener()
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Resolves when a retry is worthwhile: soon, or immediately when the connection is back. */
const waitForRetry = (failures: number): Promise<unknown> =>
  Promise.race([
    wait(Math.min(5_000, 300 * 2 ** failures)),
    new Promise((resolve) => addEventListener('online', resolve, { once: true })),
  ])

/** Returns a teammate's newest answer in `messages` after the message `since`; IDs rise with time. */
export function teammateAnswer(
  messages: readonly Message[],
  { since, writer }: Pick<OutboxEntry, 'since' | 'writer'>,
): TeammateAnswer | undefined {
  if (since === undefined) return undefined
  const isAnswer = ({ direction, id, sentBy }: Message) =>
    direction === 'outbound' && id > since && sentBy !== null && sentBy !== writer
  const found = messages.find(isAnswer)
  return found && { id: found.id, createdAt: found.createdAt, sentBy: found.sentBy! }
}

/** Reads a teammate's answer from the server that is newer than `entry`. */
async function findNewerAnswer(entry: OutboxEntry): Promise<TeammateAnswer | undefined> {
  if (entry.since === undefined) return undefined
  const { workspace, conversationId } = entry
  if (entry.isDirect) {
    const { messages } = await readDirectMessages(conversationId, { limit: LOOKED_AT }, { workspace })
    return teammateAnswer(messages, entry)
  }
  const query = { conversationId, direction: 'outbound', limit: LOOKED_AT } as const
  return teammateAnswer((await call('GET /messages', { workspace, query })).messages, entry)
}

/** Sends a message and returns its ID. */
async function submit(entry: OutboxEntry): Promise<string> {
  const { workspace, body, conversationId, key: idempotencyKey } = entry
  if (!entry.isDirect) return (await call('POST /send', { workspace, body, idempotencyKey })).messageId
  const text = (body as { text?: string }).text ?? ''
  const request = { workspace, body: { conversationId, text }, idempotencyKey }
  return (await call('POST /social/send', request)).messageId
}

async function deliver(entry: OutboxEntry): Promise<void> {
  let until = Date.now() + TRY_MS
  for (let failures = 0; ; failures++) {
    try {
      const isLate =
        failures > 0 ||
        entry.isLate ||
        entry.sendAt !== undefined ||
        Date.now() - entry.createdAt > AT_ONCE_MS
      const answer = isLate ? await findNewerAnswer(entry) : undefined
      if (answer) return storeEntry({ ...entry, state: 'held', answer })
      if (!isAccountUnchanged()) return
      const messageId = await submit(entry)
      storeEntry({ ...entry, state: 'sent', messageId, error: undefined })
      return
    } catch (error) {
      // The network didn't answer. The message is in the chat, which shows that it may have been sent.
      if (error instanceof ApiError && error.code === 'send_unconfirmed') return removeEntry(entry.key)
      if (!isPassing(error) || (navigator.onLine && Date.now() > until)) {
        const code = error instanceof ApiError ? error.code : 'unexpected'
        const message = isPassing(error) ? t('notSent.gave.up') : messageOf(error)
        storeEntry({ ...entry, state: 'failed', error: { code, message } })
        return
      }
      if (!navigator.onLine) {
        // The minute begins when the connection is back.
        await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
        until = Date.now() + TRY_MS
      } else await waitForRetry(failures)
    }
  }
}

/**
 * Waits until the message is due. A message undone meanwhile, in this tab or another, is no longer stored.
 */
async function deliverLater(entry: OutboxEntry): Promise<void> {
  await wait(Math.max(0, (entry.sendAt ?? 0) - Date.now()))
  if (!entries.some(({ key }) => key === entry.key) || !isStored(entry.key)) return
  const sendingEntry: OutboxEntry = { ...entry, createdAt: Date.now(), state: 'sending' }
  storeEntry(sendingEntry)
  await deliver(sendingEntry)
}

/**
 * Messages of one chat are sent in turn, so that the customer reads them in the order in which they were
 * written.
 */
const chains = new Map<string, Promise<void>>()
function sendInOrder(entry: OutboxEntry): void {
  const before = chains.get(entry.conversationId) ?? Promise.resolve()
  // A delayed message has its lock from the start, so that no other tab considers it abandoned.
  const run =
    entry.state === 'delayed'
      ? locked(entry.key, () => before.catch(() => {}).then(() => deliverLater(entry)))
      : before.catch(() => {}).then(() => locked(entry.key, () => deliverStored(entry)))
  chains.set(entry.conversationId, run)
}

const lockOf = (key: string): string => `parley-outbox-${key}`

/** Lets one of several tabs send, and when it closes, the next. */
async function locked(key: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(lockOf(key), work)
}

/** Sends a message that is still unsent when its turn comes: another tab may have sent it. */
async function deliverStored({ key }: OutboxEntry): Promise<void> {
  const now = readStored<OutboxEntry>(NAME + key) ?? entries.find((entry) => entry.key === key)
  if (now?.state === 'sending') await deliver(now)
}

export type NewMessage = Pick<
  OutboxEntry,
  'workspace' | 'conversationId' | 'isDirect' | 'body' | 'preview' | 'restore' | 'since' | 'writer'
> & {
  /** The time in which sending can be undone. */
  delayMs?: number
  /** A teammate's answer since its writer began: the message waits for the writer's decision. */
  answer?: TeammateAnswer | undefined
}

/** Sends a message; its bubble appears before this function returns. */
export function sendMessage({ delayMs = 0, answer, ...message }: NewMessage): void {
  const key = newId()
  const createdAt = Date.now()
  const base = { ...message, key, createdAt, ...(!navigator.onLine && { isLate: true as const }) }
  if (answer) {
    storeEntry({ ...base, state: 'held', answer })
    return
  }
  const entry: OutboxEntry =
    delayMs > 0 ? { ...base, state: 'delayed', sendAt: createdAt + delayMs } : { ...base, state: 'sending' }
  storeEntry(entry)
  sendInOrder(entry)
}

let restorer: ((entry: OutboxEntry) => void) | undefined

/**
 * Returns a delayed message to its chat if its tab is closed: an open tab has the lock until it has sent the
 * message.
 */
function recoverEntry({ key }: OutboxEntry): void {
  const work = async () => {
    const entry = entries.find((candidate) => candidate.key === key)
    if (entry?.state !== 'delayed' || !restorer) return
    removeEntry(key)
    restorer(entry)
  }
  void locked(key, work)
}
const recoverLate = (entry: OutboxEntry): unknown =>
  setTimeout(() => recoverEntry(entry), Math.max(0, (entry.sendAt ?? 0) - Date.now()) + GRACE_MS)

/** Returns messages that were still delayed when their page closed: `restore` keeps them as drafts. */
export function recoverDelayed(restore: (entry: OutboxEntry) => void): void {
  const isFirst = restorer === undefined
  restorer = restore
  if (!isFirst) return
  for (const entry of entries.filter(({ state }) => state === 'delayed'))
    if (navigator.locks) recoverEntry(entry)
    else recoverLate(entry)
}

/** Sends a message again under the same key: if the first request arrived, the message is not sent twice. */
export function retryMessage(entry: OutboxEntry): void {
  const retried: OutboxEntry = { ...entry, state: 'sending', error: undefined }
  storeEntry(retried)
  sendInOrder(retried)
}

/** Sends a held message, because its writer has seen that answer. A later answer holds it again. */
export const sendHeld = ({ answer, ...entry }: OutboxEntry): void =>
  retryMessage({ ...entry, since: answer?.id ?? entry.since, createdAt: Date.now() })

/** Removes a message from the outbox: it appeared in the chat, or was edited or deleted. */
export const dropMessage = (key: string): void => removeEntry(key)

let isResumed = false

/**
 * Resumes messages that were being sent when the page closed: recent messages are sent, old messages wait for
 * their writer.
 */
export function resumeOutbox(): void {
  if (isResumed) return
  isResumed = true
  for (const entry of entries) {
    if (entry.state === 'sent') removeEntry(entry.key)
    if (entry.state !== 'sending') continue
    if (Date.now() - entry.createdAt < STALE_MS) sendInOrder(entry)
    else
      storeEntry({ ...entry, state: 'failed', error: { code: 'unreachable', message: t('notSent.gave.up') } })
  }
}

addEventListener('storage', ({ key, newValue }) => {
  if (!key?.startsWith(`parley.${NAME}`)) return
  const id = key.slice(`parley.${NAME}`.length)
  const before = entries.find((entry) => entry.key === id)
  if (!newValue && before?.state === 'sent') {
    // The other tab has read the message; this tab shows the bubble until it has read the message too.
    setTimeout(() => removeEntry(id), SEEN_WITHIN_MS)
    return
  }
  entries = entries.filter((entry) => entry.key !== id)
  if (newValue) {
    const entry = JSON.parse(newValue) as OutboxEntry
    entries = [...entries, entry].sort((a, b) => a.createdAt - b.createdAt)
    // If the sending tab is closed first, this tab continues.
    if (entry.state === 'sending' && navigator.locks) sendInOrder(entry)
    if (entry.state === 'delayed') recoverLate(entry)
  }
  for (const listener of listeners) listener()
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns all messages being sent, in every chat. */
export const useOutbox = (): OutboxEntry[] => useSyncExternalStore(subscribe, () => entries)

/** Returns whether a message of the chat waits for its writer, and why. */
export const useUnsentState = (conversationId: string): 'failed' | 'held' | undefined =>
  useSyncExternalStore(subscribe, () => {
    const states = entries
      .filter((entry) => entry.conversationId === conversationId)
      .map(({ state }) => state)
    return states.includes('held') ? 'held' : states.includes('failed') ? 'failed' : undefined
  })
