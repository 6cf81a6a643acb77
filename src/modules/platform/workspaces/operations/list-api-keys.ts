import type { Tx } from '../../../../core/context.ts'
import * as queries from '../queries/workspaces.ts'

/** Lists the workspace's keys with their public fields: neither the key nor its hash. */
export const listApiKeys = async (tx: Tx, workspaceId: string): Promise<ShownKey[]> =>
  (await queries.listKeyRows(tx, workspaceId)).map(shownKey)

const shownKey = (key: queries.KeyRow) => ({
  id: key.id,
  label: key.label,
  prefix: key.prefix,
  role: key.role,
  scopes: key.scopes,
  allowIps: key.allowIps,
  memberId: key.memberId,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  createdAt: key.createdAt,
})
export type ShownKey = ReturnType<typeof shownKey>
