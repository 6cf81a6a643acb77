/**
 * Rating requests for chats that a member resolved (spec 6.3 conversation.rated;
 * DECISIONS.md).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { afterChange } from '../../../../test/support/clock-changes.ts'
import { eventsOf } from '../../../../test/support/records.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'
import { systemClock } from '../../../core/clock.ts'
import { platformContext } from '../../../core/context.ts'
import { openDatabase } from '../../../database/database.ts'
import { listWorkspacesById } from '../../platform/workspaces/queries/workspaces.ts'
import { updateConversation } from '../conversations/operations/change-conversation.ts'

let parley: TestParley
let shop: TestWorkspace
let conversationId: string
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  expect(await settings({ enabled: true })).toMatchObject({ status: 200 })
  await shop.inbound(ASHA, 'Is it in stock?')
  conversationId = (await shop.get('/conversations')).body.conversations[0].id
})

const ASHA = '+919812345678'
const DAY_SECONDS = 86_400
const settings = (body: object) => shop.call('PUT', '/rating-settings', body)
const change = (state: string) => shop.patch(`/conversations/${conversationId}`, { state })
async function resolve(): Promise<void> {
  expect((await change('resolved')).status).toBe(200)
  await shop.advance(1)
}
const questions = async (): Promise<Body[]> =>
  (await shop.get('/messages?direction=outbound')).body.messages.filter(
    ({ type }: Body) => type === 'interactive' || type === 'template',
  )
const notes = async (): Promise<string[]> =>
  (await shop.get(`/conversations/${conversationId}/notes`)).body.notes.map(({ body }: Body) => body)
const scores = async (): Promise<number[]> =>
  (await eventsOf(parley, shop.workspaceId))
    .filter(({ name }) => name === 'conversation.rated')
    .map(({ data }) => data.score)
const tap = (score: number) =>
  shop.inbound(ASHA, '', { text: undefined, listId: `rating:${score}`, title: String(score) })

describe('rating requests', () => {
  test('when a member resolves a chat: a list from 1 to 5; a tap emits conversation.rated once', async () => {
    await resolve()
    const [question] = await questions()
    expect(question.content.action.sections[0].rows.map(({ id }: Body) => id)).toEqual(
      [5, 4, 3, 2, 1].map((score) => `rating:${score}`),
    )
    await tap(4)
    await tap(1)
    expect(await scores()).toEqual([4])
    expect((await shop.get('/ratings?days=7')).body).toEqual({
      days: 7,
      asked: 1,
      rated: 1,
      average: 4,
      byScore: [1, 2, 3, 4, 5].map((score) => ({ score, ratings: score === 4 ? 1 : 0 })),
    })
  })

  test.each([
    ['hi', 'हमारी सेवा कैसी रही? 1 यानी खराब, 5 यानी बहुत अच्छी।'],
    ['ar-EG', 'كيف كانت خدمتنا؟ 1 تعني سيئة، و5 تعني ممتازة.'],
    ['fr', 'How was our service? 1 is bad, 5 is very good.'],
  ])(
    'a contact whose language is %s reads the standard question in it, if there is one',
    async (language, text) => {
      await shop.patch(`/contacts/${ASHA}`, { language })
      await resolve()
      expect((await questions())[0].content.body.text).toBe(text)
    },
  )

  test('contacts without a language read it in that of the workspace; a question of your own stays', async () => {
    shop = await parley.workspace({ sandbox: true, language: 'id' })
    await settings({ enabled: true })
    await shop.inbound(ASHA, 'Halo')
    conversationId = (await shop.get('/conversations')).body.conversations[0].id
    await resolve()
    await settings({ enabled: true, question: 'Puas?' })
    await change('open')
    await resolve()
    expect((await questions()).map(({ content }) => content.body.text)).toEqual([
      'Bagaimana layanan kami? 1 berarti buruk, 5 berarti sangat baik.',
    ])
  })

  // One customer is asked before the days of the filter, and one on the first of them.
  test.each([
    ['shorter', 7, '23:30', 0],
    ['longer', 6, '00:30', 1],
  ] as const)(
    'GET /ratings covers whole days when one of them is %s',
    async (label, daysAgo, question, expected) => {
      const timezone = 'America/New_York'
      shop = await parley.workspace({ sandbox: true, timezone })
      await settings({ enabled: true })
      const { today, goTo } = await afterChange(shop, label, timezone)
      await goTo(today.subtract({ days: daysAgo }).withPlainTime(question))
      await shop.inbound(ASHA, 'Is it in stock?')
      conversationId = (await shop.get('/conversations')).body.conversations[0].id
      await resolve()
      await goTo(today.withPlainTime('12:00'))
      expect((await shop.get('/ratings?days=7')).body.asked).toBe(expected)
      expect((await shop.get('/ratings?days=8')).body.asked).toBe(1)
    },
  )

  test('are off by default', async () => {
    expect((await settings({})).body.ratingSettings).toMatchObject({ enabled: false, delayMinutes: 0 })
    await resolve()
    expect(await questions()).toEqual([])
  })

  test('are sent after the delay, and not if the chat continues meanwhile', async () => {
    await settings({ enabled: true, delayMinutes: 10 })
    await resolve()
    expect(await questions()).toEqual([])
    await shop.inbound(ASHA, 'One more thing')
    await shop.advance(700)
    expect(await questions()).toEqual([])
    await resolve()
    await shop.advance(700)
    expect(await questions()).toHaveLength(1)
  })

  test('are not sent when the chat is resolved again', async () => {
    await resolve()
    await shop.inbound(ASHA, 'Thanks')
    await resolve()
    expect(await questions()).toHaveLength(1)
    await tap(5)
    await resolve()
    expect(await questions()).toHaveLength(1)
  })

  test('are not sent when an automation resolves the chat', async () => {
    const database = openDatabase({
      url: parley.databaseUrl,
      connections: 1,
      onError: () => {},
      recordEvents: async () => {},
      onCommit: () => {},
    })
    try {
      const [workspace] = await listWorkspacesById(database.query, [shop.workspaceId])
      await database.tenant(workspace!, (unit) =>
        updateConversation(platformContext(unit, workspace!, systemClock), conversationId, {
          state: 'resolved',
        }),
      )
    } finally {
      await database.close()
    }
    await shop.advance(1)
    expect((await shop.get(`/conversations/${conversationId}`)).body.conversation.state).toBe('resolved')
    expect(await questions()).toEqual([])
  })

  test('without a window: without a template a note is written; with a template it is sent', async () => {
    await shop.advance(DAY_SECONDS + 60)
    await resolve()
    expect(await questions()).toEqual([])
    expect(await notes()).toEqual([expect.stringContaining('24-hour window is closed')])
    await storeTemplate(parley, shop, {
      name: 'how_was_it',
      components: [{ type: 'BODY', text: 'From 1 to 5?' }],
    })
    const [template] = (await shop.get('/templates')).body.templates
    expect(await settings({ enabled: true, templateId: shop.workspaceId })).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
    await settings({ enabled: true, templateId: template.id })
    await change('open')
    await resolve()
    expect(await questions()).toMatchObject([{ type: 'template' }])
    await shop.inbound(ASHA, ' 2 ')
    expect(await scores()).toEqual([2])
  })

  test('to an opted-out customer: none is sent, and a note gives the reason', async () => {
    await shop.inbound(ASHA, 'STOP')
    await resolve()
    expect(await questions()).toEqual([])
    expect(await notes()).toEqual([expect.stringContaining('opted out')])
  })
})

describe('answers', () => {
  test('`5 pieces` is no rating, nor is a digit that is not the next message', async () => {
    await resolve()
    await shop.inbound(ASHA, '5 pieces')
    await shop.inbound(ASHA, '5')
    expect(await scores()).toEqual([])
  })

  test('a single digit as the next message is a rating; 0 and 6 are not', async () => {
    await resolve()
    await shop.inbound(ASHA, '5')
    expect(await scores()).toEqual([5])
    const other = '+919812345679'
    await shop.inbound(other, 'Hello')
    conversationId = (await shop.get('/conversations?limit=1')).body.conversations[0].id
    await resolve()
    for (const text of ['0', '6']) await shop.inbound(other, text)
    expect(await scores()).toEqual([5])
  })

  test('after 72 hours answers no longer count', async () => {
    await resolve()
    await shop.advance(3 * DAY_SECONDS + 60)
    await tap(5)
    expect(await scores()).toEqual([])
  })

  test('a digit without a rating request is an ordinary message', async () => {
    await shop.inbound(ASHA, '5')
    expect(await scores()).toEqual([])
  })
})

test('erasure keeps the score', async () => {
  await resolve()
  await tap(5)
  expect((await shop.delete(`/contacts/${ASHA}`)).status).toBe(200)
  expect((await shop.get('/ratings')).body).toMatchObject({ asked: 1, rated: 1, average: 5 })
})
