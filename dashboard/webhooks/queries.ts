/**
 * Reads webhooks. The live stream does not announce attempts, so they are read at intervals while the page is
 * visible.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryClient } from '../api/cache.ts'
import { call, type Reply } from '../api/request.ts'

export type Webhook = Reply<'GET /webhooks'>['webhooks'][number]
type DeliveryPage = Reply<'GET /webhooks/{id}/deliveries'>
export type Delivery = DeliveryPage['deliveries'][number]
export type SignatureCheck = Reply<'GET /webhooks/deliveries/{id}/signature'>['signature']
export type EventKind = Reply<'GET /webhooks/events'>['events'][number]

export const DELIVERY_STATES = ['all', 'pending', 'succeeded', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

const PAGE = 50
const [SOON_MS, IDLE_MS] = [2_000, 15_000]

export const webhooksQuery = queryOptions({
  queryKey: ['webhook', 'list'],
  queryFn: async () => (await call('GET /webhooks')).webhooks,
  refetchInterval: IDLE_MS,
})

export const eventKindsQuery = queryOptions({
  queryKey: ['event', 'kinds'],
  queryFn: async () => (await call('GET /webhooks/events')).events,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Returns how long data stays valid: only briefly while an attempt is in flight. */
const interval = (pages: readonly DeliveryPage[] = []): number | false => {
  if (pages.length > 1) return false
  const isUnderWay = pages[0]?.deliveries.some(({ status, attempt }) => status === 'pending' && attempt === 1)
  return isUnderWay ? SOON_MS : IDLE_MS
}

export const deliveriesQuery = (id: string, state: DeliveryState) =>
  infiniteQueryOptions({
    queryKey: ['delivery', 'list', id, state],
    queryFn: ({ pageParam, signal }) =>
      call('GET /webhooks/{id}/deliveries', {
        params: { id },
        query: { limit: PAGE, cursor: pageParam, status: state === 'all' ? undefined : state },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: DeliveryPage) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => interval(data?.pages),
  })

/** Reads the deliveries of one event to one endpoint. */
export const eventDeliveriesQuery = (id: string, eventId: string) =>
  queryOptions({
    queryKey: ['delivery', 'of', eventId, id],
    queryFn: async () =>
      (await call('GET /webhooks/{id}/deliveries', { params: { id }, query: { eventId, limit: PAGE } }))
        .deliveries,
    refetchInterval: ({ state: { data = [] } }) => interval([{ deliveries: data, nextCursor: null }]),
  })

/** Reads how an attempt was signed. A later rotation changes which secret is the current one. */
export const signatureQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ['delivery', 'of', deliveryId, 'signature'],
    queryFn: async () =>
      (await call('GET /webhooks/deliveries/{id}/signature', { params: { id: deliveryId } })).signature,
  })

/** Reads deliveries again, because one is about to be sent. */
export const refreshDeliveries = (): void => void queryClient.invalidateQueries({ queryKey: ['delivery'] })

/** Updates the list of endpoints with the response to a change. */
export function storeWebhook(webhook: Webhook): void {
  queryClient.setQueryData(webhooksQuery.queryKey, (list) =>
    list?.some(({ id }) => id === webhook.id)
      ? list.map((existing) => (existing.id === webhook.id ? webhook : existing))
      : [...(list ?? []), webhook],
  )
  void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey })
}
