/** An open move of a workspace, with everything that its steps need. */
import type { Clock } from '../../core/clock.ts'
import type { Destination } from '../../core/moving.ts'
import { rowAdapter } from './adapt-rows.ts'
import { type Matched, matchAccounts, readAccounts, resealAccount } from './match-accounts.ts'
import type { FileStores } from './move-files.ts'
import type { Move } from './move-rows.ts'
import type { MovedTable } from './moved-tables.ts'
import { openRounds, type Rounds } from './rounds.ts'
import type { Side } from './sides.ts'
import { inTransaction } from './switch.ts'

export type MoveOptions = {
  workspaceId: string
  source: { url: string; secretKey: string }
  target: { url: string; secretKey: string; address: string | null }
  /** Null: both cells use the same store. */
  files: FileStores | null
  /** Milliseconds for which the source keeps its rows. */
  keepMs: number
  /** Default: the system clock. */
  clock?: Clock
  say(line: string): void
}

export type MoveResult = {
  workspaceId: string
  movedTo: Destination
  /** Milliseconds between the pause of all requests and the switch. */
  pausedMs: number
  tables: number
  rows: number
  files: number
  accountsCreated: number
  /** Names of members who must be invited again. */
  invite: string[]
  eraseAfter: Date
}

export type Moving = {
  options: MoveOptions
  clock: Clock
  source: Side
  target: Side
  move: Move
  tables: MovedTable[]
  destination: Destination
  rounds: Rounds
  matched: Matched
  copiedFiles: Set<string>
}

export function openMoving(parts: Omit<Moving, 'rounds' | 'matched' | 'copiedFiles'>): Moving {
  const { options, source, target, tables } = parts
  const sealers =
    options.source.secretKey === options.target.secretKey ? null : { from: source.sealer, to: target.sealer }
  const matched: Matched = { accounts: new Map(), created: 0, unmatched: [] }
  const rounds = openRounds({
    source: source.client,
    target: target.client,
    workspaceId: options.workspaceId,
    tables,
    prepare: async () => {
      const accounts = await readAccounts(source.client, options.workspaceId)
      const missing = accounts.filter(({ id }) => !matched.accounts.has(id))
      const found = await inTransaction(target.client, () =>
        matchAccounts(
          target.client,
          sealers ? missing.map((account) => resealAccount(account, sealers.from, sealers.to)) : missing,
        ),
      )
      for (const [id, targetId] of found.accounts) matched.accounts.set(id, targetId)
      matched.created += found.created
      matched.unmatched = found.unmatched
      return rowAdapter(matched.accounts, sealers)
    },
    say: options.say,
  })
  return { ...parts, rounds, matched, copiedFiles: new Set() }
}

/** Returns the result of a move whose switch is done. */
export function resultOf(
  { options, destination, rounds, matched, copiedFiles }: Moving,
  pausedMs: number,
  eraseAfter: Date,
): MoveResult {
  return {
    workspaceId: options.workspaceId,
    movedTo: destination,
    pausedMs: Math.round(pausedMs),
    ...rounds.countRows(),
    files: copiedFiles.size,
    accountsCreated: matched.created,
    invite: matched.unmatched,
    eraseAfter,
  }
}
