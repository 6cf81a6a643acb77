/** Lists that are read page by page while customers write and records are created, changed, and erased. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Body, TestWorkspace } from '../support/boot.ts'
import { command } from '../support/play-model.ts'
import {
  appear,
  endWalk,
  LISTS,
  type List,
  type PagingModel,
  takePage,
  vanish,
  vanishPerson,
  type Walk,
} from './paging-model.ts'

const pathOf = (model: PagingModel, list: List): string =>
  ({
    contacts: '/contacts',
    messages: '/messages',
    conversations: '/conversations',
    quickReplies: '/quick-replies',
    tags: '/tags',
    entries: `/leads/${model.leadPhone}/timeline`,
    events: '/events',
  })[list]

/** Reads the next page of a walk; returns whether there is another. */
async function readPage(model: PagingModel, shop: TestWorkspace, walk: Walk): Promise<boolean> {
  const cursor = walk.cursor === null ? '' : `&cursor=${walk.cursor}`
  const { status, body, text } = await shop.get(`${pathOf(model, walk.list)}?limit=${walk.limit}${cursor}`)
  expect(status, text).toBe(200)
  takePage(
    model,
    walk,
    body[walk.list].map((row: Body) => row.id),
    body.nextCursor,
  )
  return body.nextCursor !== null
}

/** Reads the next page; compares a finished walk with the model. */
export async function walkOn(model: PagingModel, shop: TestWorkspace, walk: Walk): Promise<boolean> {
  if (await readPage(model, shop, walk)) return true
  endWalk(model, walk)
  return false
}

/** Creates a contact with POST /contacts. */
export async function makePerson(model: PagingModel, shop: TestWorkspace): Promise<void> {
  const phone = `+9198123${String(++model.createdCount).padStart(5, '0')}`
  const { body } = await shop.post('/contacts', { phone, tags: [`tag ${model.createdCount}`] })
  model.people.push({ phone, contactId: body.contact.id, conversationId: null, messageIds: [] })
  appear(model, 'contacts', body.contact.id)
}

/** Sends a message from an existing customer. */
export async function write(model: PagingModel, shop: TestWorkspace, index: number): Promise<void> {
  const person = model.people[index % Math.max(1, model.people.length)]
  if (!person) return
  const { status, body } = await shop.post('/sandbox/inbound', { from: person.phone, text: 'Hello' })
  expect(status).toBe(202)
  person.messageIds.push(body.messageId)
  appear(model, 'messages', body.messageId)
  person.conversationId ??= (await shop.get(`/messages/${body.messageId}`)).body.message
    .conversationId as string
  appear(model, 'conversations', person.conversationId)
  if (person.phone === `+${model.leadPhone}`) appear(model, 'entries', body.messageId)
}

async function note(model: PagingModel, shop: TestWorkspace): Promise<void> {
  const { body } = await shop.post(`/leads/${model.leadPhone}/notes`, { body: 'Likes blue.' })
  appear(model, 'entries', body.note.id)
}

async function erase(model: PagingModel, shop: TestWorkspace, index: number): Promise<void> {
  const others = model.people.filter((person) => person.phone !== `+${model.leadPhone}`)
  const person = others[index % Math.max(1, others.length)]
  if (!person) return
  vanishPerson(model, person)
  expect((await shop.delete(`/contacts/${person.contactId}`)).status).toBe(200)
}

async function saveReply(model: PagingModel, shop: TestWorkspace): Promise<void> {
  const { body } = await shop.post('/quick-replies', {
    shortcut: `r${++model.createdCount}`,
    text: 'We are open.',
  })
  appear(model, 'quickReplies', body.quickReply.id)
}

async function declareTag(model: PagingModel, shop: TestWorkspace): Promise<void> {
  const { body } = await shop.post('/tags', { name: `declared ${++model.createdCount}` })
  appear(model, 'tags', body.tag.id)
}

/** Removes an existing row, counted from the newest. */
async function remove(
  model: PagingModel,
  shop: TestWorkspace,
  list: 'quickReplies' | 'tags',
  index: number,
): Promise<void> {
  const rows = [...model.rows[list].values()].filter((row) => row.until > model.moment)
  const row = rows.at(-1 - index)
  if (!row) return
  vanish(model, list, row.id)
  expect((await shop.delete(`${pathOf(model, list)}/${row.id}`)).status).toBe(200)
}

/** Reads the log's new events, a page at a time. */
export async function follow(model: PagingModel, shop: TestWorkspace, limit: number): Promise<void> {
  const after = model.resumeAfter === null ? '' : `&after=${model.resumeAfter}`
  for (let cursor = ''; ; ) {
    const { status, body, text } = await shop.get(`/events?limit=${limit}${after}${cursor}`)
    expect(status, text).toBe(200)
    model.followed.push(...body.events.map((event: Body) => event.id))
    if (body.nextCursor === null) {
      model.resumeAfter = body.resumeAfter
      return
    }
    cursor = `&cursor=${body.nextCursor}`
  }
}

/** Commands that change the lists; `index` selects the customer or row. */
const CHANGES = {
  'somebody is made': makePerson,
  'somebody writes': write,
  'a note': note,
  'somebody is erased': erase,
  'a quick reply': saveReply,
  'a quick reply goes': (model: PagingModel, shop: TestWorkspace, index: number) =>
    remove(model, shop, 'quickReplies', index),
  'a tag': declareTag,
  'a tag goes': (model: PagingModel, shop: TestWorkspace, index: number) =>
    remove(model, shop, 'tags', index),
  'a contact is changed': async (model: PagingModel, shop: TestWorkspace, index: number) => {
    const person = model.people[index % Math.max(1, model.people.length)]
    if (person) await shop.patch(`/contacts/${person.contactId}`, { displayName: `Person ${model.moment}` })
  },
} as const

const changing = fc.record({
  change: fc.constantFrom(
    ...(Object.keys(CHANGES) as (keyof typeof CHANGES)[]),
    'somebody writes',
    'somebody is erased',
  ),
  index: fc.nat({ max: 5 }),
})
const limit = fc.integer({ min: 1, max: 3 })
const startWalk = (model: PagingModel, list: List, limit: number): Walk => {
  const walk = { list, limit, since: model.moment, seenIds: [], cursor: null }
  model.walks.push(walk)
  return walk
}

export const commands = [
  command<{ change: keyof typeof CHANGES; index: number }, PagingModel, TestWorkspace>(
    'something changes',
    changing,
    async (model, shop, { change, index }) => {
      model.moment++
      await CHANGES[change](model, shop, index)
    },
  ),
  command<{ list: List; limit: number }, PagingModel, TestWorkspace>(
    'a walk begins',
    fc.record({ list: fc.constantFrom(...LISTS), limit }),
    async (model, shop, { list, limit }) => {
      model.moment++
      await walkOn(model, shop, startWalk(model, list, limit))
    },
  ),
  command<number, PagingModel, TestWorkspace>(
    'a walk goes on',
    fc.nat({ max: 3 }),
    async (model, shop, index) => {
      model.moment++
      await walkOn(model, shop, model.walks[index % model.walks.length]!)
    },
    (model) => model.walks.length > 0,
  ),
  command<
    { walkIndex: number; changes: { change: keyof typeof CHANGES; index: number }[] },
    PagingModel,
    TestWorkspace
  >(
    'a walk goes on while things change',
    fc.record({ walkIndex: fc.nat({ max: 3 }), changes: fc.array(changing, { minLength: 1, maxLength: 3 }) }),
    async (model, shop, { walkIndex, changes }) => {
      model.moment++
      const walk = model.walks[walkIndex % model.walks.length]!
      await Promise.all([
        readPage(model, shop, walk),
        (async () => {
          for (const { change, index } of changes) await CHANGES[change](model, shop, index)
        })(),
      ])
      if (walk.cursor === null) endWalk(model, walk)
    },
    (model) => model.walks.length > 0,
  ),
  command<{ limit: number; changes: (keyof typeof CHANGES)[] }, PagingModel, TestWorkspace>(
    'the log is followed while things change',
    fc.record({
      limit,
      changes: fc.array(
        fc.constantFrom<keyof typeof CHANGES>('somebody is made', 'somebody writes', 'a contact is changed'),
        { maxLength: 3 },
      ),
    }),
    async (model, shop, { limit, changes }) => {
      model.moment++
      await Promise.all([
        follow(model, shop, limit),
        ...changes.map((change, i) => CHANGES[change](model, shop, i)),
      ])
    },
  ),
]
