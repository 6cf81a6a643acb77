/** Reads and writes integrations, and reads the orders that shops reported. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Integration, Order } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call, type Reply } from '../api/request.ts'
import { withConfirmation } from '../shell/confirm.ts'

export type Name = Integration['name']
export type Kind = Integration['kind']
export type SettingsInput = Api['PUT /integrations/{name}']['body']['settings']
type Simulated = Required<Api['POST /sandbox/simulate']['body']>
export type SimulatedOrder = Pick<Simulated, 'store' | 'type' | 'reference' | 'from' | 'name' | 'cod'>

type DeliveryPage = Reply<'GET /integrations/{name}/deliveries'>

const PAGE = 25
const OPEN_MAX = 100
const [SOON_MS, IDLE_MS] = [2_000, 15_000]

/** The stream names integrations by the workspace. */
export const integrationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['integration', 'one', workspace],
    queryFn: async () => (await call('GET /integrations')).integrations,
  })

export const ordersQuery = infiniteQueryOptions({
  queryKey: ['order', 'list'],
  queryFn: ({ pageParam: cursor, signal }) => call('GET /orders', { query: { limit: PAGE, cursor }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { orders: Order[]; nextCursor: string | null }) => page.nextCursor ?? undefined,
  placeholderData: keepPreviousData,
})

/**
 * Reads a shop's deliveries. The live stream does not announce them, so they are read at intervals while the
 * page is visible.
 */
export const shopDeliveriesQuery = (name: Name) =>
  infiniteQueryOptions({
    queryKey: ['shop-delivery', 'list', name],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /integrations/{name}/deliveries', {
        params: { name },
        query: { limit: PAGE, cursor },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: DeliveryPage) => page.nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => {
      if ((data?.pages.length ?? 0) > 1) return false
      const isWaiting = data?.pages[0]?.deliveries.some(
        ({ status, attempts }) => status === 'waiting' && attempts === 0,
      )
      return isWaiting ? SOON_MS : IDLE_MS
    },
  })

/** The page of the photo network shows whether its account is connected. */
const refreshPages = (name: Name): void => {
  if (name === 'photo')
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => `${queryKey[0]}`.startsWith('social') })
}

/**
 * Connects an integration, or replaces its settings. The server calls the shop meanwhile, which takes a
 * moment.
 */
export async function saveIntegration(workspace: string, name: Name, settings: SettingsInput) {
  const saved = await withConfirmation(() =>
    call('PUT /integrations/{name}', { params: { name }, body: { settings } }),
  )
  queryClient.setQueryData(integrationsQuery(workspace).queryKey, (integrations) =>
    integrations?.map((integration) => (integration.name === name ? saved.integration : integration)),
  )
  refreshPages(name)
  return saved
}

export async function disconnect(workspace: string, name: Name): Promise<void> {
  await withConfirmation(() => call('DELETE /integrations/{name}', { params: { name } }))
  refreshPages(name)
  await queryClient.invalidateQueries({ queryKey: integrationsQuery(workspace).queryKey })
}

/** Calls the other system with the stored settings. A refused token also shows in the integration. */
export async function testConnection(workspace: string, name: Name) {
  const result = await call('POST /integrations/{name}/test', { params: { name } })
  await queryClient.invalidateQueries({ queryKey: integrationsQuery(workspace).queryKey })
  return result
}

/** Counts the payment requests that wait for their customers: at most one page, and whether there are more. */
export const openPaymentsQuery = queryOptions({
  queryKey: ['paymentRequest', 'list', 'open'],
  queryFn: async () => {
    const { paymentRequests, nextCursor } = await call('GET /payment-requests', {
      query: { status: 'sent', limit: OPEN_MAX },
    })
    return { count: paymentRequests.length, hasMore: nextCursor !== null }
  },
})

/** Makes the simulated shop report an order. */
export async function simulateOrder(order: SimulatedOrder): Promise<void> {
  await call('POST /sandbox/simulate', { body: { kind: 'order', ...order } })
  void queryClient.invalidateQueries({ queryKey: ordersQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: ['shop-delivery'] })
}
