/** Refreshes the tokens of accounts well before they expire (docs/formats.md section 14). */
import { type Clock, HOUR_MS, later, SECOND_MS } from '../../../../core/clock.ts'
import type { Query } from '../../../../core/context.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import type { WorkSource } from '../../../../core/work.ts'
import type { SocialAccount, SocialNetwork } from '../../../../social-network/port.ts'
import { type AccountRow, claimRefreshes, replaceToken } from '../queries/accounts.ts'

const AT_ONCE = 16
/** The wait after a failed refresh. A token lives for weeks after the first attempt. */
const RETRY_MS = 6 * HOUR_MS

export const tokenRefreshSource = (options: {
  database: { query: Query }
  clock: Clock
  sealer: Sealer
  network: Pick<SocialNetwork, 'refreshToken'>
  /** Returns a stored account for calls; undefined if it is disconnected. */
  openAccount(record: AccountRow): SocialAccount | undefined
}): WorkSource => {
  const { database, clock, sealer, network } = options

  const refresh = async (record: AccountRow): Promise<void> => {
    const account = options.openAccount(record)
    if (!account) return
    const answer = await network.refreshToken(account)
    // A final refusal is recorded where calls are observed.
    if (answer.kind !== 'done') return
    const { token, expiresInSeconds } = answer.value
    const now = clock.now()
    const lifeMs = expiresInSeconds * SECOND_MS
    await replaceToken(database.query, record, {
      tokenSealed: sealer.seal(token),
      expiresAt: later(now, lifeMs),
      // Half of its life is left for further attempts.
      refreshDueAt: later(now, lifeMs / 2),
    })
  }

  return {
    name: 'social-tokens',
    pollMs: 5 * SECOND_MS,
    async runDue({ workspaceId }) {
      // Tokens expire in real time, and no sandbox has one.
      if (workspaceId !== undefined) return 0
      const now = clock.now()
      const due = await claimRefreshes(database.query, {
        now,
        nextAt: later(now, RETRY_MS),
        limit: AT_ONCE,
      })
      await Promise.all(due.map(refresh))
      return due.length
    },
  }
}
