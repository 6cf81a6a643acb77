/**
 * Reads payment requests. Most of their changes are not announced, so requests that can still be paid are
 * read at intervals.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, PaymentRequest } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { readContactNames } from '../api/contact-names.ts'
import { call } from '../api/request.ts'

export type PaymentStatus = PaymentRequest['status']
export type StatusFilter = PaymentStatus | 'all'
/** A request, with its customer. */
export type ListedRequest = PaymentRequest & { customer: string | null }
type NewRequest = Api['POST /payment-requests']['body']

const [PAGE, SENDING_MS, WAITING_MS] = [50, 2_000, 15_000]

/** Returns whether the request can still be paid, and therefore be cancelled. */
export const isOpen = ({ status }: Pick<PaymentRequest, 'status'>): boolean =>
  status === 'created' || status === 'sent' || status === 'failed'

function intervalOf(requests: readonly PaymentRequest[]): number | false {
  if (requests.some(({ status }) => status === 'created')) return SENDING_MS
  return requests.some(isOpen) ? WAITING_MS : false
}

async function withCustomers(requests: PaymentRequest[]): Promise<ListedRequest[]> {
  const names = await readContactNames(requests.map(({ contactId }) => contactId))
  return requests.map((request) => ({ ...request, customer: names.get(request.contactId) ?? null }))
}

export const requestsQuery = (status: StatusFilter) =>
  infiniteQueryOptions({
    queryKey: ['paymentRequest', 'list', status],
    queryFn: async ({ pageParam, signal }) => {
      const { paymentRequests, nextCursor } = await call('GET /payment-requests', {
        query: { limit: PAGE, cursor: pageParam, status: status === 'all' ? undefined : status },
        signal,
      })
      return { requests: await withCustomers(paymentRequests), nextCursor }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 ? intervalOf(data.pages[0]!.requests) : false,
  })

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['paymentRequest', 'one', id],
    queryFn: async (): Promise<ListedRequest> => {
      const { paymentRequest } = await call('GET /payment-requests/{id}', { params: { id } })
      return (await withCustomers([paymentRequest]))[0]!
    },
    refetchInterval: ({ state: { data } }) => (data ? intervalOf([data]) : false),
  })

const refreshRequests = () => queryClient.invalidateQueries({ queryKey: ['paymentRequest'] })

export async function requestPayment(body: NewRequest, idempotencyKey: string): Promise<PaymentRequest> {
  const { paymentRequest } = await call('POST /payment-requests', { body, idempotencyKey })
  void refreshRequests()
  return paymentRequest
}

export async function cancelRequest(id: string): Promise<PaymentRequest> {
  const { paymentRequest } = await call('POST /payment-requests/{id}/cancel', { params: { id }, body: {} })
  void refreshRequests()
  return paymentRequest
}
