/**
 * A dashboard page that listens to the live stream (docs/decisions/dashboard-pages.md), reduced to the messages
 * that it receives.
 */
import { request } from 'undici'
import { expect } from 'vitest'
import type { Body } from './boot.ts'
import { type Browser, DASHBOARD } from './sessions.ts'
import { until } from './until.ts'

export type StreamMessage = { event: string; id?: string; data: Body }

const parseStream = (text: string): StreamMessage[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const id = field('id')
      return {
        event: field('event') ?? 'message',
        ...(id ? { id } : {}),
        data: JSON.parse(field('data') as string),
      }
    })

export const openStream = (
  url: string,
  query: string,
  browser: Browser,
  headers: Record<string, string> = {},
) =>
  request(`${url}${DASHBOARD}/stream${query}`, {
    headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin', ...headers },
    bodyTimeout: 0,
  })

/** Listens at the server of `url` for events after `after`. */
export async function listenAs(
  url: string,
  { by, workspaceId, after }: { by: Browser; workspaceId: string; after?: string | undefined },
) {
  const query = `?workspace=${workspaceId}${after === undefined ? '' : `&after=${after}`}`
  const answer = await openStream(url, query, by)
  expect(answer.statusCode).toBe(200)
  let text = ''
  let ended = false
  answer.body.on('data', (chunk: Buffer) => {
    text += chunk
  })
  answer.body.on('close', () => {
    ended = true
  })
  answer.body.on('error', () => {})
  const readAll = () => parseStream(text)
  const messages = () => readAll().filter(({ event }) => event !== 'presence')
  await until(() => messages().length > 0, 'the stream starts')
  return {
    headers: answer.headers,
    /** Messages received, without those about members viewing chats. */
    messages,
    isOver: () => ended,
    /** Returns the ids of a kind that changed, according to the messages received. */
    changed: (kind: string): string[] | 'many' => {
      const changedIds = messages().flatMap(({ data }) => data.changed?.[kind] ?? [])
      return changedIds.includes('many') ? 'many' : changedIds
    },
    lastId: () => messages().findLast(({ id }) => id !== undefined)?.id as string,
    /** The chats that each member is viewing. */
    presence: (): Record<string, { conversationId: string; typing: boolean }> => {
      let presence: Record<string, unknown> = {}
      for (const { event, data } of readAll())
        if (event === 'presence') presence = data.isWhole ? data.presence : { ...presence, ...data.presence }
      return Object.fromEntries(Object.entries(presence).filter(([, entry]) => entry !== null)) as never
    },
    close: () => answer.body.destroy(),
  }
}
