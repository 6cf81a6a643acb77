/** Chats that are answered without a person, as tests look at them. */
import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/core/clock.ts'
import type { Body, TestParley, TestWorkspace } from './boot.ts'

/** Everything our side said, oldest first, in words. */
export async function said(shop: TestWorkspace): Promise<string[]> {
  const { messages } = (await shop.get('/messages?direction=outbound&limit=100')).body
  return messages.map(({ text }: Body) => text).toReversed()
}

/** What can be tapped in the last message that offers anything: ids by title. */
export async function offered(shop: TestWorkspace): Promise<Record<string, string>> {
  const { messages } = (await shop.get('/messages?direction=outbound&type=interactive&limit=1')).body
  const { action } = messages[0].content
  const options = action.buttons
    ? action.buttons.map(({ reply }: Body) => reply)
    : action.sections.flatMap(({ rows }: Body) => rows)
  return Object.fromEntries(options.map(({ id, title }: Body) => [title, id]))
}

/** The customer taps what has this title, of what was offered last, or the id that is given. */
export async function tap(shop: TestWorkspace, from: string, title: string, id?: string): Promise<void> {
  const buttonId = id ?? (await offered(shop))[title]
  expect(buttonId, `${title} is not offered`).toBeDefined()
  await shop.inbound(from, '', { text: undefined, buttonId, title })
}

/** Makes an auto-reply, and waits until the intake goes by it. */
export async function madeReply(parley: TestParley, shop: TestWorkspace, body: object): Promise<Body> {
  const answer = await shop.post('/auto-replies', body)
  expect(answer.status, answer.text).toBe(201)
  await parley.caughtUp()
  return answer.body.autoReply
}

/** The same of a bot. */
export async function madeBot(parley: TestParley, shop: TestWorkspace, body: object): Promise<Body> {
  const answer = await shop.post('/bots', { enabled: true, fallback: { text: 'Please tap.' }, ...body })
  expect(answer.status, answer.text).toBe(201)
  await parley.caughtUp()
  return answer.body.bot
}

/** The chat with a customer. */
export async function chatWith(shop: TestWorkspace, phone: string): Promise<Body> {
  const { conversations } = (await shop.get(`/conversations?search=${encodeURIComponent(phone)}`)).body
  return conversations[0]
}

const KOLKATA_MS = 5.5 * HOUR_MS

/** The day and the time of day in Kolkata at a moment. */
export const inKolkata = (at: Date): string => new Date(at.getTime() + KOLKATA_MS).toISOString()

/** Moves a sandbox on to the next time that clocks in Kolkata show `time`; returns the day there. */
export async function goToTime(shop: TestWorkspace, time: string): Promise<string> {
  const at = new Date((await shop.get('/sandbox/clock')).body.now)
  const wanted = new Date(`${inKolkata(at).slice(0, 10)}T${time}:00+05:30`)
  const next = wanted > at ? wanted : new Date(wanted.getTime() + DAY_MS)
  await shop.advance(Math.ceil((next.getTime() - at.getTime()) / 1_000))
  return inKolkata(next).slice(0, 10)
}
