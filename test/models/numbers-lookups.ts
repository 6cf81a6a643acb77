/** Look-ups by a number. Each returns the IDs of the contacts that it finds. */
import type { Answered, Body } from '../support/boot.ts'
import type { Sides } from './numbers-model.ts'

type LookUp = {
  /** Finds only leads. */
  ofLeads?: boolean
  /** Finds nothing for people without records of this kind. */
  mayBeEmpty?: boolean
  find(sides: Sides, phone: string): Promise<string[]>
}

const bodyOrUndefined = ({ status, body, text }: Answered): Body => {
  if (status >= 300 && status !== 404) throw new Error(`answered ${status}: ${text}`)
  return status === 404 ? undefined : body
}
const distinct = (ids: string[]): string[] => [...new Set(ids)]
const path = encodeURIComponent

/** Returns the contact of a lead, by the number in the reply. */
async function contactOf({ shop }: Sides, lead: Body): Promise<string[]> {
  return lead ? [bodyOrUndefined(await shop.get(`/contacts/${lead.phone}`))!.contact.id] : []
}

async function contactOfLead(sides: Sides, leadId: string): Promise<string[]> {
  return contactOf(sides, bodyOrUndefined(await sides.shop.get(`/leads/${leadId}`))?.lead)
}

export const LOOK_UPS: Record<string, LookUp> = {
  'GET /contacts/{id}': {
    find: async ({ shop }, phone) => {
      const body = bodyOrUndefined(await shop.get(`/contacts/${path(phone)}`))
      return body ? [body.contact.id] : []
    },
  },
  'GET /contacts?phone=': {
    find: async ({ shop }, phone) =>
      bodyOrUndefined(await shop.get(`/contacts?phone=${path(phone)}`)).contacts.map(({ id }: Body) => id),
  },
  'PATCH /contacts/{id}': {
    find: async ({ shop }, phone) => {
      const body = bodyOrUndefined(
        await shop.patch(`/contacts/${path(phone)}`, { phone, attributes: { a: 1 } }),
      )
      return body ? [body.contact.id] : []
    },
  },
  'POST /contacts/bulk-tags': {
    find: async ({ shop }, phone) => {
      const { results } = bodyOrUndefined(
        await shop.post('/contacts/bulk-tags', { phones: [phone], addTags: ['seen'] }),
      )
      return results.flatMap(({ contactId, id }: Body) => contactId ?? id ?? [])
    },
  },
  'POST /contacts/{id}/block': {
    find: async ({ shop }, phone) => {
      const body = bodyOrUndefined(await shop.post(`/contacts/${path(phone)}/block`))
      if (body) bodyOrUndefined(await shop.post(`/contacts/${path(phone)}/unblock`))
      return body ? [body.contact.id] : []
    },
  },
  'GET /messages?phone=': {
    mayBeEmpty: true,
    find: async ({ shop }, phone) =>
      distinct(
        bodyOrUndefined(await shop.get(`/messages?limit=100&phone=${path(phone)}`)).messages.map(
          ({ contactId }: Body) => contactId,
        ),
      ),
  },
  'GET /orders?contactId=': {
    mayBeEmpty: true,
    find: async ({ shop }, phone) =>
      distinct(
        (bodyOrUndefined(await shop.get(`/orders?contactId=${path(phone)}`))?.orders ?? []).map(
          ({ contactId }: Body) => contactId,
        ),
      ),
  },
  'GET /leads/{id}': {
    ofLeads: true,
    find: async (sides, phone) =>
      contactOf(sides, bodyOrUndefined(await sides.shop.get(`/leads/${path(phone)}`))?.lead),
  },
  'GET /leads by a filter': {
    ofLeads: true,
    find: async (sides, phone) => {
      const filter = JSON.stringify({
        match: 'all',
        conditions: [{ field: 'phone', op: 'eq', value: phone }],
      })
      const { leads } = bodyOrUndefined(await sides.shop.get(`/leads?filter=${path(filter)}`))
      return (await Promise.all(leads.map((lead: Body) => contactOf(sides, lead)))).flat()
    },
  },
  'PATCH /leads/{id}': {
    ofLeads: true,
    find: async (sides, phone) =>
      contactOf(sides, bodyOrUndefined(await sides.shop.patch(`/leads/${path(phone)}`, { rating: 3 }))?.lead),
  },
  'GET /leads/{id}/timeline': {
    ofLeads: true,
    find: async (sides, phone) => {
      const body = bodyOrUndefined(await sides.shop.get(`/leads/${path(phone)}/timeline`))
      return body
        ? contactOf(sides, bodyOrUndefined(await sides.shop.get(`/leads/${path(phone)}`))?.lead)
        : []
    },
  },
  'POST /tasks': {
    ofLeads: true,
    find: async (sides, leadId) => {
      const task = { leadId, title: 'Call', dueAt: '2030-06-02T10:00:00Z' }
      const created = bodyOrUndefined(await sides.shop.post('/tasks', task))?.task
      return created ? contactOfLead(sides, created.lead.id) : []
    },
  },
  'GET /tasks?leadId=': {
    ofLeads: true,
    mayBeEmpty: true,
    find: async (sides, phone) => {
      const tasks = bodyOrUndefined(await sides.shop.get(`/tasks?leadId=${path(phone)}`))?.tasks ?? []
      const leads = distinct(tasks.map(({ lead }: Body) => lead.id))
      return (await Promise.all(leads.map((leadId) => contactOfLead(sides, leadId)))).flat()
    },
  },
  'PATCH /social/conversations/{id}': {
    ofLeads: true,
    find: async (sides, leadId) => {
      const body = bodyOrUndefined(
        await sides.shop.patch(`/social/conversations/${sides.socialChatId}`, { leadId }),
      )
      return body ? contactOfLead(sides, body.conversation.leadId) : []
    },
  },
}
