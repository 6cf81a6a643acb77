/** Every statement on wallets and their entries. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { db, isOfWorkspace } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { EntryKind } from '../schema.ts'

type StoredWallet = Selectable<Tables['wallets']>
export type WalletRow = Omit<StoredWallet, 'runAt' | 'runOffsetMs'>

export type EntryRow = Omit<Selectable<Tables['walletEntries']>, 'workspaceId' | 'kind'> & { kind: EntryKind }

const selectWallet = (workspaceId: string) =>
  db
    .selectFrom('wallets')
    .select(['workspaceId', 'enabled', 'enforced', 'currency', 'balanceMinor', 'chargedThrough'])
    .where('workspaceId', '=', workspaceId)

export const findWallet = (ctx: Context): Promise<WalletRow | undefined> =>
  ctx.tx.first(selectWallet(ctx.workspace.id))

/** Returns a wallet, locked. Every writer of an entry must lock the wallet first. */
export const findWalletForUpdate = (tx: Tx, workspaceId: string): Promise<WalletRow | undefined> =>
  tx.first(selectWallet(workspaceId).forUpdate())

export const findWalletCurrency = async (tx: Tx, workspaceId: string): Promise<string | undefined> =>
  (await tx.first(selectWallet(workspaceId).clearSelect().select('currency')))?.currency

/** Creates a wallet that is off, unless there is one. */
export const insertWallet = (tx: Tx, row: Omit<WalletRow, 'enabled' | 'enforced' | 'balanceMinor'>) =>
  tx.run(
    db
      .insertInto('wallets')
      .values({
        workspaceId: row.workspaceId,
        enabled: false,
        enforced: false,
        currency: row.currency,
        chargedThrough: row.chargedThrough,
      })
      .onConflict((conflict) => conflict.column('workspaceId').doNothing()),
  )

export type WalletSwitch = Pick<
  StoredWallet,
  'enabled' | 'enforced' | 'chargedThrough' | 'runAt' | 'runOffsetMs'
>

/** Changes a locked wallet and its next charge. */
export const updateWallet = (
  tx: Tx,
  workspaceId: string,
  { enabled, enforced, chargedThrough, runAt, runOffsetMs }: WalletSwitch,
): Promise<unknown> =>
  tx.run(
    db
      .updateTable('wallets')
      .set({ enabled, enforced, chargedThrough, runAt, runOffsetMs })
      .where('workspaceId', '=', workspaceId),
  )

/**
 * Adds an entry to a locked wallet and changes its balance. Returns undefined if its reference was used
 * before.
 */
export async function insertEntry(
  tx: Tx,
  workspaceId: string,
  entry: Omit<EntryRow, 'balanceAfterMinor'>,
): Promise<number | undefined> {
  const [, balances] = await Promise.all([
    tx.sql(
      `insert into wallet_entries (workspace_id, id, kind, amount_minor, balance_after_minor, description, reference, created_at)
       select $1, $2, $3, $4, w.balance_minor + $4, $5, $6, $7 from wallets w where w.workspace_id = $1
       on conflict (workspace_id, kind, reference) where reference is not null do nothing`,
      [
        workspaceId,
        entry.id,
        entry.kind,
        entry.amountMinor,
        entry.description,
        entry.reference,
        entry.createdAt,
      ],
    ),
    // An entry with this id exists only if it was inserted just now.
    tx.sql<Pick<WalletRow, 'balanceMinor'>>(
      `update wallets w set balance_minor = w.balance_minor + e.amount_minor from wallet_entries e
       where w.workspace_id = $1 and e.workspace_id = w.workspace_id and e.id = $2 returning w.balance_minor`,
      [workspaceId, entry.id],
    ),
  ])
  return balances[0]?.balanceMinor
}

/** Returns entries, newest first: one row more than the page, to show whether there is a next page. */
export const listEntries = (ctx: Context, { limit, cursor }: CursorQuery): Promise<EntryRow[]> =>
  ctx.tx.sql<EntryRow>(
    `select id, kind, amount_minor, balance_after_minor, description, reference, created_at from wallet_entries
     where workspace_id = $1 and ($2::uuid is null or id < $2) order by workspace_id desc, id desc limit $3`,
    [ctx.workspace.id, cursor ?? null, limit + 1],
  )

/** Returns the workspaces whose wallets are due to be charged. */
export const listDueWallets = async (
  query: Query,
  due: DueMoment,
  { workspaceId, limit }: { workspaceId: string | undefined; limit: number },
): Promise<string[]> => {
  const rows =
    workspaceId === undefined
      ? await query<Pick<WalletRow, 'workspaceId'>>(
          `select workspace_id from wallets waiting where run_at <= $1 and ${isOfWorkspace('waiting')} order by run_at limit $2`,
          [due.now, limit],
        )
      : await query<Pick<WalletRow, 'workspaceId'>>(
          `select workspace_id from wallets
           where workspace_id = $2 and ${isDue('run_at', 'run_offset_ms', { now: '$3', by: '$1', offsetMs: '$4' })}`,
          [due.by, workspaceId, due.now, due.offsetMs],
        )
  return rows.map((row) => row.workspaceId)
}

export const findNextDueWallet: NonNullable<WorkSource['nextDue']> = async (query, workspaceId) =>
  (
    await query<Pick<StoredWallet, 'runAt'>>(
      'select run_at from wallets where workspace_id = $1 and run_at is not null',
      [workspaceId],
    )
  )[0]?.runAt ?? undefined

export const alignWallets: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'wallets', waiting: 't.run_at is not null' }, workspaceId, to)
