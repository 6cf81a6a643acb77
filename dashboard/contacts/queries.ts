/** Reads and writes contacts. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Contact } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import type { ListRule } from '../api/changes.ts'
import { newestFirst } from '../api/patch-rows.ts'
import { call, type Reply } from '../api/request.ts'
import { tagsQuery } from '../api/tags.ts'
import type { ContactFilter } from './view.ts'

export type ContactPatch = Api['PATCH /contacts/{id}']['body']
export type NewContact = Api['POST /contacts']['body']
const PAGE = 100

export const contactsQuery = (filter: ContactFilter) =>
  infiniteQueryOptions({
    queryKey: ['contact', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /contacts', { query: { ...filter, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Reply<'GET /contacts'>) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

export const contactRows: ListRule = {
  kind: 'contact',
  rows: 'contacts',
  isThing: true,
  source: ([, , filter]) =>
    typeof filter === 'object'
      ? {
          name: JSON.stringify(filter),
          read: async (ids) =>
            (
              await call('GET /contacts', {
                query: { ...(filter as ContactFilter), ids: ids.join(','), limit: PAGE },
              })
            ).contacts,
          order: { compare: newestFirst },
        }
      : undefined,
}

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', 'one', id],
    queryFn: async () => (await call('GET /contacts/{id}', { params: { id } })).contact,
  })

/** Finds the newest contacts with this name or number. */
export const contactSearchQuery = (search: string) =>
  queryOptions({
    queryKey: ['contact', 'list', 'finder', search],
    queryFn: async () =>
      (await call('GET /contacts', { query: { ...(search && { search }), limit: 20 } })).contacts,
    placeholderData: keepPreviousData,
  })

/** Reads the chats of a contact: searched by number, then limited to this contact. */
export const chatsQuery = ({ id, phone }: Contact) =>
  queryOptions({
    queryKey: ['conversation', 'list', 'contact', id],
    queryFn: async () => {
      const { conversations } = await call('GET /conversations', {
        query: { channel: 'all', search: phone, limit: 50 },
      })
      return conversations.filter(({ contact }) => contact.id === id)
    },
  })

/** Reads the lead of a contact; null if there is none. */
export const leadOfQuery = (contactId: string) =>
  queryOptions({
    queryKey: ['lead', 'list', 'contact', contactId],
    queryFn: async () => {
      const filter = JSON.stringify({ conditions: [{ field: 'contactId', op: 'eq', value: contactId }] })
      return (await call('GET /leads', { query: { filter, pageSize: 1 } })).leads[0] ?? null
    },
  })

const readLists = (): void => {
  void queryClient.invalidateQueries({ queryKey: ['contact', 'list'] })
  void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey })
}

/** Caches a contact that the server returned. */
export function storeContact(contact: Contact): void {
  queryClient.setQueryData(contactQuery(contact.id).queryKey, contact)
  readLists()
}

export async function changeContact(id: string, body: ContactPatch): Promise<Contact> {
  const { contact } = await call('PATCH /contacts/{id}', { params: { id }, body })
  storeContact(contact)
  return contact
}

export async function createContact(body: NewContact): Promise<Reply<'POST /contacts'>> {
  const response = await call('POST /contacts', { body })
  storeContact(response.contact)
  return response
}

export async function eraseContact(id: string): Promise<void> {
  await call('DELETE /contacts/{id}', { params: { id } })
  queryClient.removeQueries({ queryKey: contactQuery(id).queryKey })
  readLists()
  for (const kind of ['conversation', 'lead', 'task'])
    void queryClient.invalidateQueries({ queryKey: [kind, 'list'] })
}

/** Merges the contact `from` into the contact `id`; returns the latter. */
export async function mergeContacts(id: string, from: string): Promise<Contact> {
  const { contact } = await call('POST /contacts/{id}/merge', { params: { id }, body: { from } })
  storeContact(contact)
  for (const kind of ['conversation', 'lead', 'task'])
    void queryClient.invalidateQueries({ queryKey: [kind, 'list'] })
  return contact
}

/**
 * Adds tags to contacts or removes them, one page of contacts at a time; returns the number of changed
 * contacts.
 */
export async function tagContacts(
  contactIds: readonly string[],
  tags: { addTags?: string[]; removeTags?: string[] },
): Promise<{ updated: number; refused: number }> {
  const sum = { updated: 0, refused: 0 }
  for (let from = 0; from < contactIds.length; from += PAGE) {
    const part = contactIds.slice(from, from + PAGE)
    const { updated, refused } = await call('POST /contacts/bulk-tags', {
      body: { contactIds: part, ...tags },
    })
    sum.updated += updated
    sum.refused += refused
  }
  void queryClient.invalidateQueries({ queryKey: ['contact'] })
  void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey })
  return sum
}
