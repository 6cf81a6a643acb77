import { type Clock, MINUTE_MS } from '../../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { dueAt } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { workspacesInTurn } from '../../../../core/workspaces-in-turn.ts'
import { chargeClosedDays } from '../operations/wallet.ts'
import { alignWallets, findNextDueWallet, listDueWallets } from '../queries/wallet.ts'

const MAX_WORKSPACES = 50

type Options = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
}

/**
 * Charges wallets for days that are over. The due row is the wallet's own; the charging transaction sets the
 * row's next time.
 */
export const walletChargesSource = ({ database, clock, workspaces }: Options): WorkSource => {
  const inTurn = workspacesInTurn()
  return {
    name: 'wallet-charges',
    pollMs: MINUTE_MS,
    async runDue({ workspaceId, moving }) {
      const due = dueAt(clock.now(), moving)
      const dueWorkspaces = await workspaces(
        await listDueWallets(database.query, due, { workspaceId, limit: MAX_WORKSPACES }),
      )
      return inTurn(dueWorkspaces.values(), async (workspace) => {
        const hasCharged = await database.tenant(workspace, (unit) =>
          chargeClosedDays(platformContext(unit, workspace, clock)),
        )
        return hasCharged ? 1 : 0
      })
    },
    nextDue: findNextDueWallet,
    align: alignWallets,
  }
}
