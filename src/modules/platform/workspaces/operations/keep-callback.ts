/** Stores a callback as it arrived, because its workspace moves (docs/decisions/workspace-moves.md). */
import type { Clock } from '../../../../core/clock.ts'
import type { Query } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { insertKeptCallback } from '../queries/kept-callbacks.ts'

export type ArrivedCallback = {
  workspaceId: string
  method: string
  /** The address without the host, with its query. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The client's address. */
  sender: string
}

/** Headers of the connection, and credentials, which no callback needs. */
const LEFT_OUT = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'content-length',
  'host',
  'expect',
  'te',
  'trailer',
  'upgrade',
  'accept-encoding',
  'authorization',
  'cookie',
  'x-forwarded-for',
])

/** Stores the callback. Its caller gets the usual answer only after that. */
export async function keepCallback(
  { query, clock }: { query: Query; clock: Clock },
  { headers, body, ...call }: ArrivedCallback,
): Promise<void> {
  const now = clock.now()
  await insertKeptCallback(query, {
    ...call,
    id: newId(),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined || LEFT_OUT.has(name) ? [] : [[name, String(value).replaceAll('\0', '')]],
      ),
    ),
    body,
    runAt: now,
    receivedAt: now,
  })
}
