/** Defines the inbox's queries, and how their data is updated. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Conversation, Message } from '../../sdk/api.ts'
import { applyChanges, queryClient } from '../api/cache.ts'
import type { ListRule } from '../api/changes.ts'
import { readDirectMessages } from '../api/direct-messages.ts'
import { laterFirst } from '../api/patch-rows.ts'
import { readAllRows } from '../api/read-all-rows.ts'
import { call, callDashboard, type Reply } from '../api/request.ts'

export type ListFilter = Omit<Api['GET /conversations']['query'], 'cursor' | 'ids' | 'limit'>
type ConversationPage = Reply<'GET /conversations'>
type MessagePage = Reply<'GET /messages'>

const PAGE = 50

export const conversationsQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: ['conversation', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /conversations', { query: { ...filter, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: ConversationPage) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

const IDS_MAX = 100
/** Returns when a chat moved to the top of the list. */
const latestOf = ({ lastMessageAt, snoozeEndedAt, createdAt }: Conversation): string => {
  const at = lastMessageAt ?? createdAt
  return snoozeEndedAt !== null && snoozeEndedAt > at ? snoozeEndedAt : at
}
const orders: Record<'latest' | 'waiting', (a: Conversation, b: Conversation) => number> = {
  latest: (a, b) => laterFirst(latestOf(a), latestOf(b)),
  waiting: (a, b) => laterFirst(b.waitingSince ?? '', a.waitingSince ?? ''),
}

/** Rows of lists are read by ID and inserted in their place. */
export const conversationRows: ListRule = {
  kind: 'conversation',
  rows: 'conversations',
  isThing: true,
  source: ([, , filter]) =>
    typeof filter === 'object'
      ? {
          name: JSON.stringify(filter),
          read: async (ids) =>
            (
              await call('GET /conversations', {
                query: { ...(filter as ListFilter), ids: ids.join(','), limit: IDS_MAX },
              })
            ).conversations,
          order: { compare: orders[(filter as ListFilter).sort ?? 'latest'] },
        }
      : undefined,
}

/** Reads the messages whose text matches a search, as the palette does; at least two characters. */
export const foundMessagesQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', 'list', q],
    queryFn: ({ signal }) => call('GET /search', { query: { q }, signal }),
    enabled: Array.from(q).length >= 2,
    placeholderData: keepPreviousData,
    select: ({ results }) => results.filter(({ kind }) => kind.endsWith('message')),
  })

/**
 * The maximum of one read of mentions: chats in which a teammate mentioned the caller, latest mention first.
 */
const MAX_MENTIONS = 100

/** Reads the chats whose notes mention the caller, limited to the chats that match the rest of the view. */
export const mentionsQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: ['conversation', 'list', 'mentions', filter],
    queryFn: async ({ signal }): Promise<ConversationPage> => {
      const { notifications } = await callDashboard('GET /notifications', {
        query: { kind: 'mention', limit: MAX_MENTIONS },
        signal,
      })
      const ids = [...new Set(notifications.map(({ subjectId }) => subjectId))]
      if (ids.length === 0) return { conversations: [], nextCursor: null }
      const { conversations } = await call('GET /conversations', {
        query: { ...filter, ids: ids.join(','), limit: MAX_MENTIONS },
        signal,
      })
      return {
        conversations: conversations.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
        nextCursor: null,
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: ConversationPage) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Reads the mentions again when a notification changed. */
export const refreshMentions = (): void =>
  void queryClient.invalidateQueries({ queryKey: ['conversation', 'list', 'mentions'] })

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversation', 'one', id],
    queryFn: async () => (await call('GET /conversations/{id}', { params: { id } })).conversation,
    // The data from the list is shown until the chat itself has been read.
    placeholderData: () => knownConversation(id),
  })

/** Preloads the visible part of a chat before it opens. */
export function prefetchChat(id: string): void {
  void queryClient.prefetchQuery(conversationQuery(id))
  void queryClient.prefetchInfiniteQuery(messagesQuery(id))
  void queryClient.prefetchQuery(notesQuery(id))
  void queryClient.prefetchQuery(changesQuery(id))
}

/** Returns a chat from one of the loaded lists. */
function knownConversation(id: string): Conversation | undefined {
  const lists = queryClient.getQueriesData<{ pages: ConversationPage[] }>({
    queryKey: ['conversation', 'list'],
  })
  for (const [, list] of lists)
    for (const page of list?.pages ?? []) {
      const found = page.conversations.find((conversation) => conversation.id === id)
      if (found) return found
    }
  return undefined
}

/** Returns whether a chat is a direct chat of the photo network. */
const isDirectChat = async (id: string): Promise<boolean> =>
  (knownConversation(id) ?? (await queryClient.ensureQueryData(conversationQuery(id)))).channel === 'social'

/** Part of a chat, newest first, as the server returns it. `isEnd`: no newer messages follow. */
export type ThreadPage = MessagePage & { isEnd: boolean }
type ThreadPageParam = { around?: string; cursor?: string }
const THREAD_PAGE = 60

async function readThread(
  conversationId: string,
  { around, cursor }: ThreadPageParam,
  signal?: AbortSignal,
): Promise<ThreadPage> {
  const query = around === undefined ? { limit: THREAD_PAGE, cursor } : { limit: THREAD_PAGE, around }
  const page = (await isDirectChat(conversationId))
    ? await readDirectMessages(conversationId, query, { signal })
    : await call('GET /messages', {
        query: around === undefined ? { ...query, conversationId } : query,
        signal,
      })
  if (around === undefined) return { ...page, isEnd: cursor === undefined }
  const newer = page.messages.findIndex(({ id }) => id === around)
  return { ...page, isEnd: newer < Math.floor((THREAD_PAGE - 1) / 2) }
}

/**
 * Reads a chat's messages from its end, or around one message; more can be read in both directions.
 * Neighboring pages may overlap.
 */
export const messagesQuery = (conversationId: string, around?: string) =>
  infiniteQueryOptions({
    queryKey: ['message', 'of', conversationId, around ?? 'end'],
    queryFn: ({ pageParam, signal }) => readThread(conversationId, pageParam, signal),
    initialPageParam: (around === undefined ? {} : { around }) as ThreadPageParam,
    getNextPageParam: ({ nextCursor }: ThreadPage): ThreadPageParam | undefined =>
      nextCursor === null ? undefined : { cursor: nextCursor },
    getPreviousPageParam: ({ isEnd, messages: [newest] }: ThreadPage): ThreadPageParam | undefined =>
      isEnd || !newest ? undefined : { around: newest.id },
  })

/** Finds the messages of a chat by their words, newest first. */
export const findQuery = (conversationId: string, text: string) =>
  infiniteQueryOptions({
    queryKey: ['message', 'found', conversationId, text],
    queryFn: ({ pageParam, signal }) =>
      call('GET /messages', {
        query: { conversationId, search: text, limit: PAGE, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: MessagePage) => page.nextCursor ?? undefined,
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })

const MAX_IDS = 100

/** Finds the first unread message of a chat with more unread messages than one page contains. */
export const unreadStartQuery = (conversationId: string, unread: number) =>
  queryOptions({
    queryKey: ['message', 'unread', conversationId, unread],
    gcTime: 0,
    queryFn: async ({ signal }): Promise<string | null> => {
      if (await isDirectChat(conversationId)) return null
      let first: string | null = null
      let cursor: string | undefined
      for (let left = unread; left > 0; left -= MAX_IDS) {
        const page: MessagePage = await call('GET /messages', {
          query: { conversationId, direction: 'inbound', limit: Math.min(left, MAX_IDS), cursor },
          signal,
        })
        first = page.messages.at(-1)?.id ?? first
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      return first
    },
  })

/** Reads the workspace's custom fields of contacts. */
export const fieldsQuery = queryOptions({
  queryKey: ['contactField', 'list'],
  queryFn: () => readAllRows('contactFields', (query) => call('GET /contact-fields', { query })),
})

export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: ['note', 'of', id],
    queryFn: () =>
      readAllRows('notes', (query) => call('GET /conversations/{id}/notes', { params: { id }, query })),
  })

/** Reads the changes of a chat that its thread shows. */
export const changesQuery = (id: string) =>
  queryOptions({
    queryKey: ['change', 'of', id],
    queryFn: () =>
      readAllRows('changes', (query) => call('GET /conversations/{id}/changes', { params: { id }, query })),
  })

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', 'one', id],
    queryFn: async () => (await call('GET /contacts/{id}', { params: { id } })).contact,
  })

export const teamQuery = queryOptions({
  queryKey: ['member', 'list'],
  queryFn: async () => (await call('GET /team')).members,
  staleTime: 5 * 60_000,
})

export const teamsQuery = queryOptions({
  queryKey: ['team', 'list', 'choices'],
  queryFn: () => readAllRows('teams', (query) => call('GET /teams', { query })),
  staleTime: 5 * 60_000,
})

export const numbersQuery = queryOptions({
  queryKey: ['number', 'list'],
  queryFn: async () => (await call('GET /phone-numbers')).phoneNumbers,
  staleTime: 5 * 60_000,
})

/** Reads the business hours; the stream names them by the workspace. */
export const businessHoursQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['businessHours', 'one', workspace],
    queryFn: async () => (await call('GET /business-hours')).businessHours,
    staleTime: 5 * 60_000,
  })

/** Reads the saved views of the inbox: the team's, and the member's own. */
export const viewsQuery = queryOptions({
  queryKey: ['view', 'list', 'inbox'],
  queryFn: async () => (await call('GET /views', { query: { page: 'inbox' } })).views,
  staleTime: 5 * 60_000,
})

export const quickRepliesQuery = queryOptions({
  queryKey: ['quickReply', 'list'],
  queryFn: () => readAllRows('quickReplies', (query) => call('GET /quick-replies', { query })),
})

export const macrosQuery = queryOptions({
  queryKey: ['macro', 'list', 'inbox'],
  queryFn: () => readAllRows('macros', (query) => call('GET /macros', { query })),
})

export const approvedTemplatesQuery = queryOptions({
  queryKey: ['template', 'list', 'approved'],
  queryFn: () =>
    readAllRows('templates', (page) => call('GET /templates', { query: { status: 'approved', ...page } })),
})

/** Returns whether `message` is later than `other`, because IDs rise with time. */
const isLater = (message: Message, other: Message): boolean => message.id > other.id

type Thread = { pages: ThreadPage[]; pageParams: unknown[] }

/**
 * Returns `thread` with messages that were read again. Messages outside the loaded part come with their own
 * page.
 */
function mergedThread(thread: Thread | undefined, fresh: readonly Message[]): Thread | undefined {
  const [first] = thread?.pages ?? []
  if (!thread || !first) return thread
  const byId = new Map(fresh.map((message) => [message.id, message]))
  const pages = thread.pages.map((page) => ({
    ...page,
    messages: page.messages.map((message) => byId.get(message.id) ?? message),
  }))
  for (const { messages } of thread.pages) for (const { id } of messages) byId.delete(id)
  const newest = first.messages[0]
  for (const message of byId.values()) {
    if (!first.isEnd && newest && isLater(message, newest)) continue
    // A message received late may be older than messages that are already shown.
    const page =
      pages.find(({ messages }) => messages.length > 0 && isLater(message, messages.at(-1)!)) ??
      (pages.at(-1)!.nextCursor === null ? pages.at(-1) : undefined)
    page?.messages.push(message)
    page?.messages.sort((a, b) => (isLater(a, b) ? -1 : 1))
  }
  return { ...thread, pages }
}

/** Merges messages that were read again into those shown. */
export function mergeMessages(conversationId: string, fresh: readonly Message[]): void {
  queryClient.setQueriesData<Thread>({ queryKey: ['message', 'of', conversationId] }, (thread) =>
    mergedThread(thread, fresh),
  )
}

/** Reads the newest messages of a chat again and keeps those shown. */
export async function refreshMessages(conversationId: string): Promise<void> {
  if (queryClient.getQueriesData({ queryKey: ['message', 'of', conversationId] }).length === 0) return
  const page = (await isDirectChat(conversationId))
    ? await readDirectMessages(conversationId, { limit: PAGE })
    : await call('GET /messages', { query: { conversationId, limit: PAGE } })
  mergeMessages(conversationId, page.messages)
}

/** Writes a chat to every cached place that shows it. */
export function storeConversation(conversation: Conversation): void {
  queryClient.setQueryData(conversationQuery(conversation.id).queryKey, conversation)
  queryClient.setQueriesData<{ pages: ConversationPage[]; pageParams: unknown[] }>(
    { queryKey: ['conversation', 'list'] },
    (list) =>
      list && 'pages' in list
        ? {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              conversations: page.conversations.map((existing) =>
                existing.id === conversation.id ? { ...existing, ...conversation } : existing,
              ),
            })),
          }
        : list,
  )
}

/** Changes a chat: immediately on the screen, and back again if the server rejects the change. */
export async function changeConversation(
  conversation: Conversation,
  patch: Api['PATCH /conversations/{id}']['body'],
): Promise<Conversation> {
  storeConversation({ ...conversation, ...patch })
  try {
    const response = await call('PATCH /conversations/{id}', { params: { id: conversation.id }, body: patch })
    storeConversation(response.conversation)
    return response.conversation
  } catch (error) {
    storeConversation(conversation)
    throw error
  } finally {
    // Reads the chat's place in lists and the counts again.
    applyChanges({ conversation: [conversation.id] })
  }
}
