/**
 * Prepaid money, off by default (DECISIONS.md). Entries are only added, by the transaction
 * that locks the wallet's row. A closed day is one charge for each category.
 */

import { HOUR_MS, later, realTime } from '../../../../core/clock.ts'
import type { Context, Tx } from '../../../../core/context.ts'
import { runOffsetOf } from '../../../../core/due.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { dayOf, daysBefore, startOfDay } from '../../../../core/values/calendar.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { listPricedCounts } from '../../../messaging/messages/pricing/operations.ts'
import { getWorkspace } from '../../../platform/workspaces/operations/get-workspace.ts'
import { setWorkspace } from '../../../platform/workspaces/operations/workspaces.ts'
import { findRatesCurrency } from '../queries/rates.ts'
import {
  type EntryRow,
  findWallet,
  findWalletCurrency,
  findWalletForUpdate,
  insertEntry,
  insertWallet,
  listEntries,
  updateWallet,
  type WalletRow,
} from '../queries/wallet.ts'
import { figuresOf } from './cost-figures.ts'
import { readRateCard } from './costs.ts'

const DEFAULT_CURRENCY = 'INR'
/** The time after midnight in which the last messages of a day may still be written. */
const AFTER_MIDNIGHT_MS = HOUR_MS

type Zone = { timezone: string; clockOffsetMs: number }

/** Returns when the day after `chargedThrough` is closed and charged. */
const chargedAt = (chargedThrough: string, zone: Zone): Date =>
  realTime(later(startOfDay(daysBefore(chargedThrough, -2), zone.timezone)!, AFTER_MIDNIGHT_MS), zone)

/**
 * Records on the workspace whether its enforced wallet is empty. Sends check that flag, because reading the
 * wallet would be slow.
 */
const updateWalletEmpty = async (tx: Tx, workspaceId: string): Promise<void> => {
  const wallet = (await findWalletForUpdate(tx, workspaceId))!
  const walletEmpty = wallet.enabled && wallet.enforced && wallet.balanceMinor <= 0
  const { walletEmpty: wasEmpty } = await getWorkspace(tx, workspaceId)
  if (wasEmpty !== walletEmpty) await setWorkspace(tx, workspaceId, { walletEmpty })
}

/** Returns the wallet, locked. Creates it if there is none. Refuses `conflict` for another currency. */
async function lockWallet(tx: Tx, workspaceId: string, now: Date, currency?: string): Promise<WalletRow> {
  const { timezone } = await getWorkspace(tx, workspaceId)
  const ratesCurrency = await findRatesCurrency(tx, workspaceId)
  const walletCurrency =
    currency ?? (await findWalletCurrency(tx, workspaceId)) ?? ratesCurrency ?? DEFAULT_CURRENCY
  await insertWallet(tx, {
    workspaceId,
    currency: walletCurrency,
    chargedThrough: daysBefore(dayOf(now, timezone), 1),
  })
  const wallet = (await findWalletForUpdate(tx, workspaceId))!
  const other = [wallet.currency, ratesCurrency].find(
    (candidate) => candidate !== undefined && candidate !== walletCurrency,
  )
  if (other)
    refuse(
      'conflict',
      `This workspace's rates and wallet are in ${other}. Leave out --currency, or set it to ${other}.`,
    )
  return wallet
}

export type Switch = { enabled: boolean; enforced: boolean; currency?: string }

/** Turns a wallet on or off. Days before it was turned on are not charged. */
export async function switchWallet(tx: Tx, workspaceId: string, change: Switch, realNow: Date) {
  const workspace = await getWorkspace(tx, workspaceId)
  const now = later(realNow, workspace.clockOffsetMs)
  const wallet = await lockWallet(tx, workspaceId, now, change.currency)
  const yesterday = daysBefore(dayOf(now, workspace.timezone), 1)
  // Earlier days with the wallet on may be charged already, and no day is charged twice.
  const chargedThrough =
    wallet.enabled || wallet.chargedThrough > yesterday ? wallet.chargedThrough : yesterday
  await updateWallet(tx, workspaceId, {
    enabled: change.enabled,
    enforced: change.enabled && change.enforced,
    chargedThrough,
    runAt: change.enabled ? chargedAt(chargedThrough, workspace) : null,
    runOffsetMs: change.enabled ? runOffsetOf(workspace) : null,
  })
  await updateWalletEmpty(tx, workspaceId)
  const { enabled, enforced, currency, balanceMinor } = (await findWalletForUpdate(tx, workspaceId))!
  return { enabled, enforced, currency, balanceMinor }
}

export type Credit = Pick<EntryRow, 'kind' | 'amountMinor' | 'description' | 'reference'>

/** Adds money to a wallet or removes it. Refuses `conflict` if the reference was used before. */
export async function creditWallet(tx: Tx, workspaceId: string, credit: Credit, realNow: Date) {
  const { clockOffsetMs } = await getWorkspace(tx, workspaceId)
  const now = later(realNow, clockOffsetMs)
  const { currency } = await lockWallet(tx, workspaceId, now)
  const id = newId()
  const balanceMinor = await insertEntry(tx, workspaceId, { id, ...credit, createdAt: now })
  if (balanceMinor === undefined)
    refuse('conflict', `The reference ${credit.reference} was already credited. Nothing was added.`)
  await updateWalletEmpty(tx, workspaceId)
  return { id, currency, balanceMinor, balance: moneyText(balanceMinor, currency) }
}

/**
 * Charges every closed day that is not charged yet, once for each category. Returns whether there was a day
 * to charge.
 */
export async function chargeClosedDays(ctx: Context): Promise<boolean> {
  const workspaceId = ctx.workspace.id
  const wallet = await findWalletForUpdate(ctx.tx, workspaceId)
  const openDay = dayOf(later(ctx.now, -AFTER_MIDNIGHT_MS), ctx.workspace.timezone)
  const lastClosedDay = daysBefore(openDay, 1)
  if (!wallet?.enabled || wallet.chargedThrough >= lastClosedDay) return false
  const counts = await listPricedCounts(ctx, daysBefore(wallet.chargedThrough, -1), lastClosedDay)
  const card = await readRateCard(ctx, lastClosedDay)
  for (const [reference, categoryCounts] of Map.groupBy(
    counts,
    ({ day, category }) => `${day} ${category}`,
  )) {
    const { costMinor, charged } = figuresOf(categoryCounts, card)
    if (costMinor === null || costMinor === 0) continue
    const description = `${charged} ${categoryCounts[0]!.category} messages on ${categoryCounts[0]!.day}`
    await insertEntry(ctx.tx, workspaceId, {
      id: newId(),
      kind: 'charge',
      amountMinor: -costMinor,
      description,
      reference,
      createdAt: ctx.now,
    })
  }
  await updateWallet(ctx.tx, workspaceId, {
    enabled: true,
    enforced: wallet.enforced,
    chargedThrough: lastClosedDay,
    runAt: chargedAt(lastClosedDay, ctx.workspace),
    runOffsetMs: runOffsetOf(ctx.workspace),
  })
  await updateWalletEmpty(ctx.tx, workspaceId)
  return true
}

/** Returns the wallet with a page of its entries, newest first; zeros if there is no wallet. */
export async function readWallet(ctx: Context, page: CursorQuery) {
  const [wallet, ratesCurrency, rows] = await Promise.all([
    findWallet(ctx),
    findRatesCurrency(ctx.tx, ctx.workspace.id),
    listEntries(ctx, page),
  ])
  const { currency, balanceMinor, enabled } = wallet ?? {
    currency: ratesCurrency ?? DEFAULT_CURRENCY,
    balanceMinor: 0,
    enabled: false,
  }
  const { rows: pageRows, nextCursor } = cutPage(rows, page.limit, ({ id }) => id)
  return {
    enabled,
    currency,
    balanceMinor,
    balance: moneyText(balanceMinor, currency),
    entries: pageRows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    nextCursor,
  }
}
