/** The sentences of notifications, which the pages give in their language. */
import { base } from './scope.ts'

export type WorkerTexts = {
  parley: string
  customer: string
  message: string
  reply: string
  placeholder: string
  resolve: string
  failed: string
  failedText: string
  /** By kind of notification: its sentence with {by} and {title}, and its page with {subject} and {parent}. */
  lines: Record<string, { line: string; path: string }>
}

const key = `${base}texts`

export const textsAsResponse = (texts: WorkerTexts): [string, Response] => [
  key,
  new Response(JSON.stringify(texts), { headers: { 'content-type': 'application/json' } }),
]

/** Returns the sentences; undefined if no page has given them yet. */
export const readTexts = async (): Promise<WorkerTexts | undefined> =>
  (await (await caches.match(key))?.json()) as WorkerTexts | undefined
