import { sha256 } from '../../../../core/values/digest.ts'

/**
 * Returns our id of a workspace's business account at the operator (`wabaConnectionId`), computed from both
 * ids, so that it needs no table and never changes (src/modules/messaging/templates/DECISIONS.md).
 */
export function connectionIdOf(workspaceId: string, accountId: string): string {
  const bytes = sha256(`waba ${workspaceId} ${accountId}`).subarray(0, 16)
  // Version 8: custom format.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
