/** Reads what a customer has in the modules: documents and bookings, the newest first. */
import { queryOptions } from '@tanstack/react-query'
import type { Api, Booking, Quotation, SalesInvoice } from '../../../../sdk/api.ts'
import { queryClient } from '../../../api/cache.ts'
import { call } from '../../../api/request.ts'

export type Noun = 'invoices' | 'quotations'
export type SalesDocument = SalesInvoice | Quotation

const LIMIT = 50

export const customerDocumentsQuery = (noun: Noun, contactId: string) =>
  queryOptions({
    queryKey: ['salesDocument', 'list', 'of-customer', noun, contactId],
    queryFn: async ({ signal }): Promise<SalesDocument[]> => {
      const options = { query: { contactId, limit: LIMIT }, signal }
      return noun === 'invoices'
        ? (await call('GET /sales-invoices', options)).invoices
        : (await call('GET /quotations', options)).quotations
    },
  })

export const customerBookingsQuery = (contactId: string) =>
  queryOptions({
    queryKey: ['booking', 'list', 'of-customer', contactId],
    queryFn: async ({ signal }): Promise<Booking[]> =>
      (await call('GET /bookings', { query: { contactId, limit: LIMIT }, signal })).bookings,
  })

export const bookingPageQuery = queryOptions({
  queryKey: ['bookingSetup', 'list', 'page'],
  queryFn: async () => {
    const { publicPage, url } = (await call('GET /booking-settings')).bookingSettings
    return publicPage ? url : null
  },
})

/** Sends a document into the customer's chat. */
export async function sendToChat(
  noun: Noun,
  id: string,
  body: Api['POST /sales-invoices/{id}/send']['body'],
  idempotencyKey: string,
): Promise<void> {
  const options = { params: { id }, body, idempotencyKey }
  if (noun === 'invoices') await call('POST /sales-invoices/{id}/send', options)
  else await call('POST /quotations/{id}/send', options)
  void queryClient.invalidateQueries({ queryKey: ['salesDocument'] })
}
