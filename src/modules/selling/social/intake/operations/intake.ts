/** The intake: the network's reports are stored as received, and applied by background work. */
import type { Query } from '../../../../../core/context.ts'
import { newId } from '../../../../../core/ids.ts'
import type { AccountRow } from '../../operations/accounts.ts'
import { insertSocialUpdate } from '../queries/updates.ts'

export { isReportWaiting } from '../queries/updates.ts'

/** The source of background work that applies reports of the photo network. */
export const SOCIAL_UPDATES = 'social-updates'

/** Stores the bytes of a report, due now and durable on return. Its first item takes the id. */
export async function receiveSocialReport(
  query: Query,
  account: Pick<AccountRow, 'workspaceId' | 'id'>,
  bytes: Buffer | string,
  now: Date,
): Promise<string> {
  const id = newId()
  await insertSocialUpdate(query, {
    workspaceId: account.workspaceId,
    id,
    accountId: account.id,
    raw: Buffer.from(bytes),
    runAt: now,
    receivedAt: now,
  })
  return id
}
