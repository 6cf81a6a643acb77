import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automate } from '../../../../../test/support/automations.ts'
import { bookingShop, madeService, startIn } from '../../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { campaignsOf } from '../../../../../test/support/campaigns.ts'
import { signIn } from '../../../../../test/support/sessions.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await bookingShop(parley)
})
afterAll(() => parley?.close())

const sourcesOf = async (phone: string): Promise<Body[]> => {
  const { messages } = (await shop.get(`/messages?phone=${encodeURIComponent(phone)}&direction=outbound`))
    .body
  return messages.map(({ source }: Body) => source)
}

describe('source of a message', () => {
  test('names the member who wrote it, and the key with its label', async () => {
    const phone = '+919812300001'
    await shop.inbound(phone, 'Is the blue one in stock?')
    const ravi = await signIn(parley, shop, 'agent')
    const { members } = (await shop.get('/team')).body
    const { name } = members.find(({ id }: Body) => id === ravi.memberId)
    const body = { to: phone, type: 'text', text: 'Yes' }
    expect((await ravi.post('/api/v1/send', body)).status).toBe(200)
    expect((await shop.post('/send', body)).status).toBe(200)
    const [byKey, byRavi] = await sourcesOf(phone)
    expect(byRavi).toEqual({ kind: 'member', id: ravi.memberId, name })
    expect(byKey).toEqual({ kind: 'api_key', id: expect.any(String), name: expect.stringMatching(/./) })
    const { messages } = (await shop.get(`/messages?direction=inbound&phone=${encodeURIComponent(phone)}`))
      .body
    expect(messages.map(({ source }: Body) => source)).toEqual([null])
  })

  test('names the automatic reply, the bot, and the automation that wrote it', async () => {
    const { autoReply } = (
      await shop.post('/auto-replies', {
        kind: 'keyword',
        keywords: ['price'],
        reply: { text: 'From ₹100.' },
      })
    ).body
    const { bot } = (
      await shop.post('/bots', {
        name: 'Menu',
        fallback: { text: 'Please tap a button.' },
        start: 'menu',
        enabled: true,
        entry: { keywords: ['menu'] },
        nodes: [
          { id: 'menu', type: 'buttons', text: 'Hello', options: [{ id: 'person', title: 'Talk to us' }] },
        ],
      })
    ).body
    const automation = await automate(shop, {
      name: 'Thank',
      trigger: { event: 'lead.created' },
      actions: [{ type: 'send_text', text: 'You are welcome.' }],
    })
    await shop.inbound('+919812300002', 'price')
    await shop.inbound('+919812300003', 'menu')
    await shop.inbound('+919812300004', 'thanks')
    await shop.post('/leads', { phone: '+919812300004' })
    const first = (phone: string) => until(async () => (await sourcesOf(phone))[0], `an answer to ${phone}`)
    expect(await first('+919812300002')).toEqual({ kind: 'auto_reply', id: autoReply.id, name: null })
    expect(await first('+919812300003')).toEqual({ kind: 'bot', id: bot.id, name: 'Menu' })
    expect(await first('+919812300004')).toEqual({ kind: 'automation', id: automation.id, name: 'Thank' })
  })

  test('names the campaign', async () => {
    const phone = '+919812300005'
    await shop.post('/contacts', { phone, tags: ['lights'] })
    const campaigns = await campaignsOf(parley, shop)
    const answer = await campaigns.create({
      name: 'Diwali lights',
      segment: { tags: ['lights'] },
      confirmNewRecipients: true,
      sendNow: true,
    })
    expect(answer.status, answer.text).toBeLessThan(300)
    const [source] = await until(async () => {
      const sources = await sourcesOf(phone)
      return sources.length > 0 ? sources : undefined
    }, 'a message of the campaign')
    expect(source).toEqual({ kind: 'campaign', id: answer.body.id, name: 'Diwali lights' })
  })

  test('is the booking for a confirmation, also if a member booked', async () => {
    const phone = '+919812300006'
    await shop.inbound(phone, 'A haircut, please')
    const ravi = await signIn(parley, shop, 'agent')
    const { id: serviceId } = await madeService(shop)
    const booked = await ravi.post('/api/v1/bookings', {
      serviceId,
      startAt: startIn(30),
      phone,
      name: 'Asha',
    })
    expect(booked.status, booked.text).toBe(201)
    expect(await sourcesOf(phone)).toEqual([{ kind: 'booking', id: booked.body.booking.id, name: null }])
  })
})
