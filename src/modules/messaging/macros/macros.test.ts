import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { signIn } from '../../../../test/support/sessions.ts'
import { customerWrites, openSocialShop } from '../../../../test/support/social-shop.ts'

const DAY_S = 24 * 3_600
const ASHA = '+919812300001'
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

/** A fresh workspace, in which Asha has written. */
async function scene(): Promise<string> {
  shop = await parley.workspace({ sandbox: true })
  await shop.inbound(ASHA, 'Where is my refund?', { name: 'Asha Rao' })
  return (await shop.get('/conversations')).body.conversations[0].id
}
const made = async (actions: object, name = 'Refund done'): Promise<string> => {
  const answer = await shop.post('/macros', { name, actions })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.macro.id
}
const quickReply = async (text = 'Your refund is on its way, {{name}}.'): Promise<string> =>
  (await shop.post('/quick-replies', { shortcut: `refund-${randomUUID().slice(0, 8)}`, text })).body
    .quickReply.id
const run = (id: string, macroId: string, headers: Record<string, string> = {}) =>
  shop.post(`/conversations/${id}/run-macro`, { macroId }, { headers })
const chat = async (id: string): Promise<Body> => (await shop.get(`/conversations/${id}`)).body.conversation
const sentTexts = async (): Promise<string[]> =>
  (await shop.get(`/messages?phone=${encodeURIComponent(ASHA)}&direction=outbound`)).body.messages.map(
    ({ text }: Body) => text,
  )
const notes = async (id: string): Promise<string[]> =>
  (await shop.get(`/conversations/${id}/notes`)).body.notes.map(({ body }: Body) => body)

describe('macros', () => {
  test('are listed newest first, changed, and deleted', async () => {
    await scene()
    const first = await made({ priority: 'high' }, 'First')
    const second = await made({ resolve: true }, 'Second')
    const listed = async () => (await shop.get('/macros')).body.macros.map(({ id }: Body) => id)
    expect(await listed()).toEqual([second, first])
    const actions = { note: 'Checked', snooze: { minutes: 60, untilReply: true } }
    const changed = await shop.patch(`/macros/${first}`, { actions })
    expect(changed.body.macro).toMatchObject({ id: first, name: 'First', actions })
    expect((await shop.patch(`/macros/${first}`, {})).body.macro).toEqual(changed.body.macro)
    expect((await shop.delete(`/macros/${first}`)).status).toBe(200)
    expect((await shop.delete(`/macros/${first}`)).status).toBe(404)
    expect(await listed()).toEqual([second])
  })

  test('a name is unique in any case; of concurrent duplicates, one is stored', async () => {
    await scene()
    const body = { name: 'Refund done', actions: { resolve: true } }
    const answers = await Promise.all(
      ['Refund done', 'REFUND DONE', 'refund done'].map((name) => shop.post('/macros', { ...body, name })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const { macroId } = answers.find(({ status }) => status === 409)!.body
    expect(macroId).toBe(answers.find(({ status }) => status === 201)!.body.macro.id)
  })

  test.each([
    ['actions', {}],
    ['actions.priority', { priority: 'asap' }],
    ['actions.resolve', { resolve: false }],
    ['actions.snooze', { resolve: true, snooze: { untilReply: true } }],
    ['actions.snooze.minutes', { snooze: {} }],
    ['actions.addTags', { addTags: [] }],
    ['actions.call', { call: true }],
  ])('%s is checked', async (path, actions) => {
    await scene()
    const answer = await shop.post('/macros', { name: 'Refund done', actions })
    expect([answer.status, answer.body.issues?.[0]?.path]).toEqual([400, path])
  })

  test('a missing reply or member is named', async () => {
    await scene()
    const actions = { quickReplyId: randomUUID(), assignee: randomUUID() }
    const answer = await shop.post('/macros', { name: 'Refund done', actions })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_reference'])
    expect(answer.body.issues.map(({ path }: Body) => path)).toEqual([
      'actions.quickReplyId',
      'actions.assignee',
    ])
  })
})

describe('POST /conversations/{id}/run-macro', () => {
  test('does all actions, as the member who runs it', async () => {
    const id = await scene()
    await shop.post('/tags', { name: 'refund' })
    await shop.patch(`/contacts/${(await chat(id)).contact.id}`, { tags: ['new'] })
    const macroId = await made({
      addTags: ['refund'],
      removeTags: ['new'],
      quickReplyId: await quickReply(),
      assignee: 'me',
      priority: 'high',
      resolve: true,
      note: 'Refunded.',
    })
    const ravi = await signIn(parley, shop, 'agent')
    const answer = await ravi.post(`/api/v1/conversations/${id}/run-macro`, { macroId })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.conversation).toMatchObject({
      id,
      state: 'resolved',
      priority: 'high',
      assignedAgentId: ravi.memberId,
      tags: ['refund'],
    })
    expect(answer.body.messageId).toEqual(expect.any(String))
    expect(await sentTexts()).toEqual(['Your refund is on its way, Asha Rao.'])
    expect(await notes(id)).toEqual(['Refunded.'])
  })

  test('snoozes from now on', async () => {
    const id = await scene()
    const macroId = await made({ snooze: { minutes: 120, untilReply: true } })
    const { conversation } = (await run(id, macroId)).body
    expect(conversation).toMatchObject({ isSnoozed: true, snoozedUntilReply: true })
    await shop.advance(7_300)
    expect(await chat(id)).toMatchObject({ isSnoozed: false, state: 'open' })
  })

  test('in a chat of the photo network: every action but a saved reply, which the error names', async () => {
    const photoShop = await openSocialShop(parley)
    shop = photoShop
    const { conversationId: id } = await customerWrites(parley, photoShop, {
      from: '17841400000000003',
      text: 'Where is my refund?',
    })
    for (const name of ['refund', 'new']) await shop.post('/tags', { name })
    const quickReplyId = await quickReply()
    const refused = await run(id, await made({ quickReplyId, note: 'Not written.' }, 'Reply'))
    expect([refused.status, refused.body.error]).toEqual([409, 'conflict'])
    expect(refused.body.message).toMatch(/Reply.*saved reply.*photo network/)
    expect(await notes(id)).toEqual([])
    const macroId = await made({
      addTags: ['refund'],
      removeTags: ['new'],
      assignee: 'me',
      priority: 'urgent',
      snooze: { minutes: 60 },
      note: 'Refunded.',
    })
    const ravi = await signIn(parley, shop, 'agent')
    const answer = await ravi.post(`/api/v1/conversations/${id}/run-macro`, { macroId })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({
      messageId: null,
      conversation: {
        priority: 'urgent',
        isSnoozed: true,
        assignedAgentId: ravi.memberId,
        tags: ['refund'],
      },
    })
    expect(await notes(id)).toEqual(['Refunded.'])
    const resolved = await run(id, await made({ resolve: true }, 'Resolve'))
    expect(resolved.body.conversation).toMatchObject({ state: 'resolved', isSnoozed: false })
  })

  test('of a closed window: nothing changes, and the error says why', async () => {
    const id = await scene()
    await shop.post('/tags', { name: 'refund' })
    const macroId = await made({
      addTags: ['refund'],
      quickReplyId: await quickReply(),
      resolve: true,
      note: 'Refunded.',
    })
    await shop.advance(DAY_S + 60)
    const answer = await run(id, macroId)
    expect([answer.status, answer.body.error]).toEqual([422, 'outside_24h_window'])
    expect(await chat(id)).toMatchObject({ state: 'open', tags: [] })
    expect([await sentTexts(), await notes(id)]).toEqual([[], []])
  })

  test('hands the chat to a team; a member outside the team is unassigned', async () => {
    const id = await scene()
    const teamId = (await shop.post('/teams', { name: 'Returns' })).body.team.id
    await shop.patch(`/conversations/${id}`, { assignedAgentId: shop.ownerId })
    const handed = await run(id, await made({ teamId: teamId.toUpperCase() }, 'To returns'))
    expect(handed.status, handed.text).toBe(200)
    expect(handed.body.conversation).toMatchObject({ teamId, assignedAgentId: null })
    const kept = await run(id, await made({ teamId, assignee: shop.ownerId }, 'To returns, mine'))
    expect(kept.body.conversation).toMatchObject({ teamId, assignedAgentId: shop.ownerId })
    const left = await run(id, await made({ teamId: null }, 'Out of returns'))
    expect(left.body.conversation).toMatchObject({ teamId: null, assignedAgentId: shop.ownerId })
  })

  test('names the deleted reply, the deleted team, the former member, and the deleted tag, and changes nothing', async () => {
    const id = await scene()
    const { id: tagId } = (await shop.post('/tags', { name: 'refund' })).body.tag
    const quickReplyId = await quickReply()
    const teamId = (await shop.post('/teams', { name: 'Returns' })).body.team.id
    const ravi = await signIn(parley, shop, 'agent')
    const macroId = await made({
      addTags: ['refund'],
      quickReplyId,
      teamId,
      assignee: ravi.memberId,
      resolve: true,
    })
    await shop.delete(`/quick-replies/${quickReplyId}`)
    await shop.delete(`/teams/${teamId}`)
    await shop.delete(`/tags/${tagId}`)
    await parley.system((tx) => tx.sql('update members set left_at = now() where id = $1', [ravi.memberId]))
    const answer = await run(id, macroId)
    expect([answer.status, answer.body.error]).toEqual([409, 'conflict'])
    expect(answer.body.issues.map(({ path }: Body) => path)).toEqual([
      'actions.quickReplyId',
      'actions.teamId',
      'actions.assignee',
      'actions.addTags[0]',
    ])
    expect(answer.body.message).toContain('The tag refund')
    expect(await chat(id)).toMatchObject({ state: 'open', assignedAgentId: null })
  })

  test('a repeated request with one key sends once, also at the same moment', async () => {
    const id = await scene()
    const macroId = await made({ quickReplyId: await quickReply('Done.'), resolve: true })
    const headers = { 'idempotency-key': randomUUID() }
    await Promise.all(Array.from({ length: 4 }, () => run(id, macroId, headers)))
    expect((await run(id, macroId, headers)).status).toBe(200)
    expect(await sentTexts()).toEqual(['Done.'])
  })

  test('of concurrent runs beside messages of the customer, each is complete', async () => {
    const id = await scene()
    const macroId = await made({
      quickReplyId: await quickReply('Done.'),
      priority: 'high',
      note: 'Done.',
      snooze: { untilReply: true },
    })
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => run(id, macroId)),
      ...Array.from({ length: 5 }, () => shop.inbound(ASHA, 'Hello?')),
    ])
    expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), ...Array(5).fill(202)])
    expect([(await sentTexts()).length, (await notes(id)).length]).toEqual([5, 5])
  })

  test('needs the rights of its actions', async () => {
    const id = await scene()
    await shop.post('/tags', { name: 'refund' })
    const sends = await made({ quickReplyId: await quickReply() }, 'Sends')
    const tags = await made({ addTags: ['refund'] }, 'Tags')
    const assigns = await made({ assignee: 'me' }, 'Assigns')
    const viewer = await shop.as('viewer')
    const path = `/conversations/${id}/run-macro`
    expect((await viewer.post(path, { macroId: tags })).status).toBe(403)
    const narrow = await shop.as('agent', { scopes: ['conversations:write'] })
    for (const [macroId, required] of [
      [sends, 'messages:send'],
      [tags, 'contacts:write'],
    ])
      expect((await narrow.post(path, { macroId })).body).toMatchObject({
        error: 'insufficient_scope',
        required,
      })
    expect((await narrow.post(path, { macroId: assigns })).status).toBeLessThan(500)
    const other = await parley.workspace()
    expect((await other.post(path, { macroId: tags })).status).toBe(404)
    expect((await shop.post(path, { macroId: randomUUID() })).body).toMatchObject({
      error: 'invalid_reference',
      issues: [{ path: 'macroId' }],
    })
  })
})
