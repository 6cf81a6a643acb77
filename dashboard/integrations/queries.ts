/** What is read and written of integrations, and the orders that shops reported. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Integration, Order } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { confirmed } from '../shell/confirmed.ts'

export type Name = Integration['name']
export type Kind = Integration['kind']
export type SettingsInput = Api['PUT /integrations/:name']['body']['settings']
type Simulated = Required<Api['POST /sandbox/simulate']['body']>
export type SimulatedOrder = Pick<Simulated, 'store' | 'type' | 'reference' | 'from' | 'name' | 'cod'>

const PAGE = 25

/** The stream names them by the workspace. */
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

/** Connects it, or replaces its settings. The shop is asked meanwhile, which takes a moment. */
export async function saveIntegration(workspace: string, name: Name, settings: SettingsInput) {
  const saved = await confirmed(() =>
    call('PUT /integrations/:name', { params: { name }, body: { settings } }),
  )
  queryClient.setQueryData(integrationsQuery(workspace).queryKey, (all) =>
    all?.map((one) => (one.name === name ? saved.integration : one)),
  )
  return saved
}

export async function disconnect(workspace: string, name: Name): Promise<void> {
  await confirmed(() => call('DELETE /integrations/:name', { params: { name } }))
  await queryClient.invalidateQueries({ queryKey: integrationsQuery(workspace).queryKey })
}

/** Has the simulated shop report an order. */
export async function simulateOrder(order: SimulatedOrder): Promise<void> {
  await call('POST /sandbox/simulate', { body: { kind: 'order', ...order } })
  void queryClient.invalidateQueries({ queryKey: ordersQuery.queryKey })
}
