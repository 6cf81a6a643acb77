import type { Config } from '../config.ts'
import type { Query } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { type AccountRow, findAccount } from '../modules/selling/social/operations/accounts.ts'
import type { SocialAccount } from '../social-network/port.ts'

/** An account's record with its token in plain text and its base address. */
export type OpenedAccount = SocialAccount & { record: AccountRow }

/** Opens a stored account for calls; undefined if it is disconnected. */
export const accountOpener =
  (parts: { config: Pick<Config, 'socialUrl'>; sealer: Sealer; simulatorUrl: string }) =>
  (record: AccountRow): OpenedAccount | undefined =>
    record.tokenSealed
      ? {
          id: record.id,
          workspaceId: record.workspaceId,
          network: record.network,
          networkId: record.networkId,
          username: record.username,
          baseUrl: record.network === 'simulator' ? parts.simulatorUrl : parts.config.socialUrl,
          token: parts.sealer.open(record.tokenSealed),
          record,
        }
      : undefined

/** Finds a workspace's account with its current credentials. */
export const accountFinder =
  (query: Query, open: (record: AccountRow) => OpenedAccount | undefined) =>
  async (workspaceId: string): Promise<OpenedAccount | undefined> => {
    const record = await findAccount(query, workspaceId)
    return record && open(record)
  }
