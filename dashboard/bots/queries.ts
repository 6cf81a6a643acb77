/** Reads and writes bots. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Bot, BotRequest, BotTestResult, ListedBot } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'

export type NewBot = Api['POST /bots']['body']
export type BotPatch = Api['PATCH /bots/{id}']['body']
export type Turn = Api['POST /bots/{id}/test']['body']['turns'][number]

const PAGE = 50
/** The live stream does not announce when a bot enters or leaves a chat. */
const RUNNING_AGAIN_MS = 60_000
const REQUESTS_AGAIN_MS = 15_000

export const botsQuery = infiniteQueryOptions({
  queryKey: ['bot', 'list'],
  queryFn: ({ pageParam: cursor, signal }) => call('GET /bots', { query: { limit: PAGE, cursor }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { bots: ListedBot[]; nextCursor: string | null }) => page.nextCursor ?? undefined,
  refetchInterval: RUNNING_AGAIN_MS,
})

export const botQuery = (id: string) =>
  queryOptions({
    queryKey: ['bot', 'one', id],
    queryFn: async () => (await call('GET /bots/{id}', { params: { id } })).bot,
  })

export type { BotRequest }
/** The live stream does not announce requests. */
export const requestsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['bot', 'requests', id],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /bots/{id}/requests', { params: { id }, query: { limit: PAGE, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: { requests: BotRequest[]; nextCursor: string | null }) =>
      page.nextCursor ?? undefined,
    refetchInterval: REQUESTS_AGAIN_MS,
  })

/** Reads the results of the last 30 days, by part: of all versions, or of one. */
export const resultsQuery = (id: string, version: number | undefined) =>
  queryOptions({
    queryKey: ['bot', 'results', id, version],
    queryFn: async ({ signal }) =>
      (
        await call('GET /bots/{id}/results', {
          params: { id },
          query: { version: version?.toString() },
          signal,
        })
      ).results,
    refetchInterval: RUNNING_AGAIN_MS,
    placeholderData: keepPreviousData,
  })

function cacheBot(bot: Bot): Bot {
  queryClient.setQueryData(botQuery(bot.id).queryKey, bot)
  void queryClient.invalidateQueries({ queryKey: botsQuery.queryKey })
  return bot
}

export const createBot = async (body: NewBot): Promise<Bot> =>
  cacheBot((await call('POST /bots', { body })).bot)

const NAME_MAX = 100

/** Creates a bot with the saved steps of another; it stays off until it is turned on. */
export const copyBot = (
  { id: _, version, createdAt, updatedAt, ...definition }: Bot,
  name: string,
): Promise<Bot> => createBot({ ...definition, name: name.slice(0, NAME_MAX), enabled: false })

export const changeBot = async (id: string, body: BotPatch): Promise<Bot> =>
  cacheBot((await call('PATCH /bots/{id}', { params: { id }, body })).bot)

export async function removeBot(id: string): Promise<void> {
  await call('DELETE /bots/{id}', { params: { id } })
  await queryClient.invalidateQueries({ queryKey: botsQuery.queryKey })
}

/** Returns the bot's answers to test turns; nothing is stored or sent. */
export const playBot = (id: string, turns: Turn[]): Promise<BotTestResult> =>
  call('POST /bots/{id}/test', { params: { id }, body: { turns } })
