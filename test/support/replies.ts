/** Chats that auto-replies and bots answer, as tests read them. */
import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/core/clock.ts'
import type { Body, TestParley, TestWorkspace } from './boot.ts'

/** Returns the texts of all outbound messages, oldest first. */
export async function listReplies(shop: TestWorkspace): Promise<string[]> {
  const { messages } = (await shop.get('/messages?direction=outbound&limit=100')).body
  return messages.map(({ text }: Body) => text).toReversed()
}

/** Returns the options of the latest message that has any: ids by title. */
export async function offered(shop: TestWorkspace): Promise<Record<string, string>> {
  const { messages } = (await shop.get('/messages?direction=outbound&type=interactive&limit=1')).body
  const { action } = messages[0].content
  const options = action.buttons
    ? action.buttons.map(({ reply }: Body) => reply)
    : action.sections.flatMap(({ rows }: Body) => rows)
  return Object.fromEntries(options.map(({ id, title }: Body) => [title, id]))
}

/** Taps an option as the customer: by title from the latest options, or by id. */
export async function tap(shop: TestWorkspace, from: string, title: string, id?: string): Promise<void> {
  const buttonId = id ?? (await offered(shop))[title]
  expect(buttonId, `${title} is not offered`).toBeDefined()
  await shop.inbound(from, '', { text: undefined, buttonId, title })
}

/** Creates an auto-reply, and waits until the intake uses it. */
export async function madeReply(parley: TestParley, shop: TestWorkspace, body: object): Promise<Body> {
  const answer = await shop.post('/auto-replies', body)
  expect(answer.status, answer.text).toBe(201)
  await parley.caughtUp()
  return answer.body.autoReply
}

/** Creates a bot, and waits until the intake uses it. */
export async function madeBot(parley: TestParley, shop: TestWorkspace, body: object): Promise<Body> {
  const answer = await shop.post('/bots', { enabled: true, fallback: { text: 'Please tap.' }, ...body })
  expect(answer.status, answer.text).toBe(201)
  await parley.caughtUp()
  return answer.body.bot
}

/** Returns the chat with a customer. */
export async function chatWith(shop: TestWorkspace, phone: string): Promise<Body> {
  const { conversations } = (await shop.get(`/conversations?search=${encodeURIComponent(phone)}`)).body
  return conversations[0]
}

const KOLKATA_MS = 5.5 * HOUR_MS

/** Returns the date and the time of day in Kolkata at a moment. */
export const inKolkata = (time: Date): string => new Date(time.getTime() + KOLKATA_MS).toISOString()

/** Moves a sandbox's clock to the next time that clocks in Kolkata show `time`; returns the date there. */
export async function goToTime(shop: TestWorkspace, time: string): Promise<string> {
  const now = new Date((await shop.get('/sandbox/clock')).body.now)
  const target = new Date(`${inKolkata(now).slice(0, 10)}T${time}:00+05:30`)
  const next = target > now ? target : new Date(target.getTime() + DAY_MS)
  await shop.advance(Math.ceil((next.getTime() - now.getTime()) / 1_000))
  return inKolkata(next).slice(0, 10)
}
