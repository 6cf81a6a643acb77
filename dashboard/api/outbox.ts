/**
 * Messages on their way: shown at once, kept in the browser, and sent under one key until the server has answered. Without an answer
 * the same key is tried for a minute; then the writer decides. What is older than two minutes when a page opens is not sent on
 * its own any more: it waits to be looked at. What goes later than it was written is held where a teammate has answered meanwhile.
 */
import { useSyncExternalStore } from 'react'
import type { Api, Message } from '../../sdk/api.ts'
import { ApiError, isPassing, messageOf } from './errors.ts'
import { newId } from './new-id.ts'
import { call } from './request.ts'
import { isStillTheirs } from './signed-in.ts'
import { canStore, readStored, storedNames, writeStored } from './storage.ts'
import { t } from './words.ts'

export type SendBody = Api['POST /send']['body']
export type OutboxEntry = {
  /** The Idempotency-Key, under which it is sent at most once. */
  key: string
  workspace: string
  conversationId: string
  body: SendBody
  /** What the bubble says meanwhile. */
  preview: string
  createdAt: number
  /** `delayed`: it goes at `sendAt` unless its writer takes it back. `held`: its writer is asked, because of `answer`. */
  state: 'delayed' | 'sending' | 'sent' | 'failed' | 'held'
  /** The newest message of the chat that its writer knew of; undefined: that is not known, and nothing holds it. */
  since?: string | undefined
  /** There was no connection when it was written. */
  isLate?: true
  /** The member who wrote it. */
  writer: string
  answer?: TeammateAnswer
  sendAt?: number
  /** What its writer gets back who takes it back. */
  restore?: Restorable
  messageId?: string
  error?: { code: string; message: string }
}

/** An answer by a teammate. */
export type TeammateAnswer = Pick<Message, 'id' | 'createdAt'> & { sentBy: string }

export type Restorable = { text?: string; files?: unknown[] }

const TRY_MS = 60_000
const STALE_MS = 120_000
/** How late a tab may be with what it delayed. */
const GRACE_MS = 2_000
/** Within what time a tab reads what another tab has read; it learns of it by the stream at once. */
const SEEN_WITHIN_MS = 10_000
/** What goes within this after it was written goes as the page knew the chat. */
const AT_ONCE_MS = 300
/** How many of a chat's newest messages of ours are looked through. */
const LOOKED_AT = 50
const NAME = 'outbox.'

let entries: OutboxEntry[] = storedNames(NAME)
  .map((name) => readStored<OutboxEntry>(name))
  .filter((entry) => entry !== undefined)
  .sort((a, b) => a.createdAt - b.createdAt)
const listeners = new Set<() => void>()

function keep(entry: OutboxEntry): void {
  entries = [...entries.filter(({ key }) => key !== entry.key), entry].sort(
    (a, b) => a.createdAt - b.createdAt,
  )
  writeStored(NAME + entry.key, entry)
  for (const listener of listeners) listener()
}

const isStored = (key: string): boolean => !canStore() || readStored(NAME + key) !== undefined

function drop(key: string): void {
  entries = entries.filter((entry) => entry.key !== key)
  writeStored(NAME + key, undefined)
  for (const listener of listeners) listener()
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Resolves when it is worth trying again: soon, or at once when the connection is back. */
const soon = (failures: number): Promise<unknown> =>
  Promise.race([
    wait(Math.min(5_000, 300 * 2 ** failures)),
    new Promise((resolve) => addEventListener('online', resolve, { once: true })),
  ])

/** The newest answer by a teammate among `messages` behind the message `since`; ids rise with time. */
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

/** What a teammate answered since `entry` was written, as the server has it. */
async function answerMeanwhile(entry: OutboxEntry): Promise<TeammateAnswer | undefined> {
  if (entry.since === undefined) return undefined
  const { workspace, conversationId } = entry
  const query = { conversationId, direction: 'outbound', limit: LOOKED_AT } as const
  return teammateAnswer((await call('GET /messages', { workspace, query })).messages, entry)
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
      const answer = isLate ? await answerMeanwhile(entry) : undefined
      if (answer) return keep({ ...entry, state: 'held', answer })
      if (!isStillTheirs()) return
      const { workspace, body, key: idempotencyKey } = entry
      const { messageId } = await call('POST /send', { workspace, body, idempotencyKey })
      keep({ ...entry, state: 'sent', messageId, error: undefined })
      return
    } catch (error) {
      if (!isPassing(error) || (navigator.onLine && Date.now() > until)) {
        const code = error instanceof ApiError ? error.code : 'unexpected'
        const message = isPassing(error) ? t('notSent.gave.up') : messageOf(error)
        keep({ ...entry, state: 'failed', error: { code, message } })
        return
      }
      if (!navigator.onLine) {
        // The minute begins when there is a connection again.
        await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
        until = Date.now() + TRY_MS
      } else await soon(failures)
    }
  }
}

/** Waits until its time has come. What was taken back meanwhile, in this tab or another, is no longer stored. */
async function deliverLater(entry: OutboxEntry): Promise<void> {
  await wait(Math.max(0, (entry.sendAt ?? 0) - Date.now()))
  if (!entries.some(({ key }) => key === entry.key) || !isStored(entry.key)) return
  const going: OutboxEntry = { ...entry, createdAt: Date.now(), state: 'sending' }
  keep(going)
  await deliver(going)
}

/** Messages of one chat go out one after the other: the customer reads them in the order in which they were written. */
const chains = new Map<string, Promise<void>>()
function sendInOrder(entry: OutboxEntry): void {
  const before = chains.get(entry.conversationId) ?? Promise.resolve()
  // What waits first holds its lock from the beginning, so that no other tab takes it for given up.
  const run =
    entry.state === 'delayed'
      ? locked(entry.key, () => before.catch(() => {}).then(() => deliverLater(entry)))
      : before.catch(() => {}).then(() => locked(entry.key, () => deliverStored(entry)))
  chains.set(entry.conversationId, run)
}

const lockOf = (key: string): string => `parley-outbox-${key}`

/** Of several tabs one sends, and when it is closed the next. */
async function locked(key: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(lockOf(key), work)
}

/** Sends what still is to be sent when its turn has come: another tab may have done it. */
async function deliverStored({ key }: OutboxEntry): Promise<void> {
  const now = readStored<OutboxEntry>(NAME + key) ?? entries.find((entry) => entry.key === key)
  if (now?.state === 'sending') await deliver(now)
}

export type NewMessage = Pick<
  OutboxEntry,
  'workspace' | 'conversationId' | 'body' | 'preview' | 'restore' | 'since' | 'writer'
> & {
  /** For how long it can be taken back. */
  delayMs?: number
}

/** Sends a message; its bubble is there before this returns. */
export function sendMessage({ delayMs = 0, ...message }: NewMessage): void {
  const key = newId()
  const createdAt = Date.now()
  const kept = { ...message, key, createdAt, ...(!navigator.onLine && { isLate: true as const }) }
  const entry: OutboxEntry =
    delayMs > 0 ? { ...kept, state: 'delayed', sendAt: createdAt + delayMs } : { ...kept, state: 'sending' }
  keep(entry)
  sendInOrder(entry)
}

let restorer: ((entry: OutboxEntry) => void) | undefined

/** Gives a delayed message back whose tab is gone: one that is there holds its lock until it has sent it. */
function recover({ key }: OutboxEntry): void {
  const work = async () => {
    const entry = entries.find((one) => one.key === key)
    if (entry?.state !== 'delayed' || !restorer) return
    drop(key)
    restorer(entry)
  }
  void locked(key, work)
}
const recoverLate = (entry: OutboxEntry): unknown =>
  setTimeout(() => recover(entry), Math.max(0, (entry.sendAt ?? 0) - Date.now()) + GRACE_MS)

/** Gives messages back that were still to wait when their page was closed: `restore` keeps them as drafts. */
export function recoverDelayed(restore: (entry: OutboxEntry) => void): void {
  const isFirst = restorer === undefined
  restorer = restore
  if (!isFirst) return
  for (const entry of entries.filter(({ state }) => state === 'delayed'))
    if (navigator.locks) recover(entry)
    else recoverLate(entry)
}

/** Tries once more, under the same key: should the first have arrived after all, nothing is sent twice. */
export function retryMessage(entry: OutboxEntry): void {
  const again: OutboxEntry = { ...entry, state: 'sending', error: undefined }
  keep(again)
  sendInOrder(again)
}

/** Sends what was held: its writer has seen that answer. What comes after it holds again. */
export const sendHeld = ({ answer, ...entry }: OutboxEntry): void =>
  retryMessage({ ...entry, since: answer?.id ?? entry.since, createdAt: Date.now() })

/** Takes a message out: it was seen in the chat, edited, or deleted. */
export const dropMessage = (key: string): void => drop(key)

let isResumed = false

/** What was on its way when the page was closed: the young go on, the old wait for their writer. */
export function resumeOutbox(): void {
  if (isResumed) return
  isResumed = true
  for (const entry of entries) {
    if (entry.state === 'sent') drop(entry.key)
    if (entry.state !== 'sending') continue
    if (Date.now() - entry.createdAt < STALE_MS) sendInOrder(entry)
    else keep({ ...entry, state: 'failed', error: { code: 'unreachable', message: t('notSent.gave.up') } })
  }
}

addEventListener('storage', ({ key, newValue }) => {
  if (!key?.startsWith(`parley.${NAME}`)) return
  const id = key.slice(`parley.${NAME}`.length)
  const before = entries.find((entry) => entry.key === id)
  if (!newValue && before?.state === 'sent') {
    // The other tab has read the message; this one shows its bubble until it has read it too.
    setTimeout(() => drop(id), SEEN_WITHIN_MS)
    return
  }
  entries = entries.filter((entry) => entry.key !== id)
  if (newValue) {
    const entry = JSON.parse(newValue) as OutboxEntry
    entries = [...entries, entry].sort((a, b) => a.createdAt - b.createdAt)
    // Should the tab that sends it be closed before, this one goes on.
    if (entry.state === 'sending' && navigator.locks) sendInOrder(entry)
    if (entry.state === 'delayed') recoverLate(entry)
  }
  for (const listener of listeners) listener()
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Everything on its way, in every chat. */
export const useOutbox = (): OutboxEntry[] => useSyncExternalStore(subscribe, () => entries)

/** Whether a message of the chat waits for its writer, and why. */
export const useStuck = (conversationId: string): 'failed' | 'held' | undefined =>
  useSyncExternalStore(subscribe, () => {
    const states = entries
      .filter((entry) => entry.conversationId === conversationId)
      .map(({ state }) => state)
    return states.includes('held') ? 'held' : states.includes('failed') ? 'failed' : undefined
  })
