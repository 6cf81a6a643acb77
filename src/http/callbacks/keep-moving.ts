/** Keeps calls of a workspace that moves to another cell (docs/decisions/workspace-moves.md). */
import type { FastifyRequest } from 'fastify'
import { isMovingRefusal } from '../../core/moving.ts'
import { trustedAddress } from '../wire/trusted-address.ts'

/** A call as it arrived. */
type ArrivedCall = {
  workspaceId: string
  method: string
  path: string
  headers: FastifyRequest['headers']
  body: Buffer
  sender: string
}

export type KeepMoving = {
  trustProxy: readonly string[]
  keep(call: ArrivedCall): Promise<void>
}

/**
 * Stores the call of a workspace that moves, and returns true: its caller gets the usual answer. Returns false for other errors.
 */
export async function keptAsMoving(
  { trustProxy, keep }: KeepMoving,
  request: FastifyRequest,
  { error, workspaceId, body }: { error: unknown; workspaceId: string; body: Buffer },
): Promise<boolean> {
  if (!isMovingRefusal(error)) return false
  await keep({
    workspaceId,
    method: request.method,
    path: request.url,
    headers: request.headers,
    body: Buffer.from(body),
    sender: trustedAddress(request.raw, trustProxy),
  })
  return true
}
