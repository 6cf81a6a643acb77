/**
 * Finds the accounts of the workspace's members in the target. An account belongs to a person and to a whole cell: the same
 * person may have one in both.
 */
import type { Selectable } from 'kysely'
import type pg from 'pg'
import type { Sealer } from '../../core/sealing.ts'
import type { Tables } from '../../database/sql/tables.ts'

type AccountRow = Selectable<Tables['accounts']>
type PasskeyRow = Selectable<Tables['passkeys']>
type IdentityRow = Selectable<Tables['accountIdentities']>

/** An account with its passkeys and its identities at identity providers. Second factors are sealed. */
export type MovedAccount = AccountRow & { passkeys: PasskeyRow[]; identities: IdentityRow[] }

/** The columns of the tables whose rows are created with an account. */
export const ACCOUNT_COLUMNS = {
  accounts: [
    'id',
    'email',
    'name',
    'password_hash',
    'totp_sealed',
    'totp_pending_sealed',
    'totp_step',
    'recovery_hashes',
    'created_at',
    'email_proven',
    'language',
  ],
  passkeys: [
    'id',
    'account_id',
    'credential_id',
    'public_key',
    'counter',
    'transports',
    'name',
    'created_at',
    'last_used_at',
  ],
  account_identities: ['issuer', 'subject', 'account_id', 'created_at'],
} as const
type AccountTable = keyof typeof ACCOUNT_COLUMNS

const fieldOf = (column: string): string =>
  column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const selected = (table: AccountTable): string =>
  ACCOUNT_COLUMNS[table].map((column) => `${column} as "${fieldOf(column)}"`).join(', ')

/** Reads the accounts of the workspace's members. */
export async function readAccounts(client: pg.ClientBase, workspaceId: string): Promise<MovedAccount[]> {
  const accounts = await client.query<AccountRow>(
    `select ${selected('accounts')} from accounts where id in (select account_id from members where workspace_id = $1) order by id`,
    [workspaceId],
  )
  const ids = accounts.rows.map(({ id }) => id)
  const passkeys = await readByAccount<PasskeyRow>(client, 'passkeys', ids)
  const identities = await readByAccount<IdentityRow>(client, 'account_identities', ids)
  return accounts.rows.map((account) => ({
    ...account,
    passkeys: passkeys.get(account.id) ?? [],
    identities: identities.get(account.id) ?? [],
  }))
}

async function readByAccount<Row extends { accountId: string }>(
  client: pg.ClientBase,
  table: AccountTable,
  accountIds: string[],
): Promise<Map<string, Row[]>> {
  const { rows } = await client.query<Row>(
    `select ${selected(table)} from ${table} where account_id = any ($1::uuid[]) order by created_at`,
    [accountIds],
  )
  return Map.groupBy(rows, ({ accountId }) => accountId)
}

/** Seals the second factors of an account with another key. */
export const resealAccount = (account: MovedAccount, from: Sealer, to: Sealer): MovedAccount => {
  const reseal = (sealed: Buffer | null): Buffer | null => sealed && to.seal(from.open(sealed))
  return {
    ...account,
    totpSealed: reseal(account.totpSealed),
    totpPendingSealed: reseal(account.totpPendingSealed),
  }
}

export type Matched = {
  /** The account of the target for each account of the source. */
  accounts: Map<string, string>
  created: number
  /** Names of people who must be invited again, because their account could not be found safely. */
  unmatched: string[]
}

type Found = Pick<AccountRow, 'id' | 'emailProven'>

/**
 * Finds or creates the accounts in the target, in its transaction. An account whose owner has not proven its email address may belong to someone
 * else, so it gets no access to the workspace.
 */
export async function matchAccounts(
  client: pg.ClientBase,
  accounts: readonly MovedAccount[],
): Promise<Matched> {
  const matched: Matched = { accounts: new Map(), created: 0, unmatched: [] }
  for (const account of accounts) {
    const found = await findAccount(client, account)
    if (found && (found.id === account.id || found.emailProven)) matched.accounts.set(account.id, found.id)
    else if (found) matched.unmatched.push(account.name)
    else {
      await createAccount(client, account)
      matched.accounts.set(account.id, account.id)
      matched.created++
    }
  }
  return matched
}

/** Finds an account that moved before, or has the same email address. */
async function findAccount(client: pg.ClientBase, { id, email }: MovedAccount): Promise<Found | undefined> {
  const { rows } = await client.query<Found>(
    `select id, email_proven as "emailProven" from accounts where id = $1 or email_key(email) = email_key($2)
     order by id <> $1 limit 1`,
    [id, email],
  )
  return rows[0]
}

async function createAccount(client: pg.ClientBase, account: MovedAccount): Promise<void> {
  await insertRow(client, 'accounts', account)
  for (const passkey of account.passkeys) await insertRow(client, 'passkeys', passkey)
  for (const identity of account.identities) await insertRow(client, 'account_identities', identity)
}

/** A passkey or an identity that the target already has belongs to another account, and stays with it. */
const insertRow = (client: pg.ClientBase, table: AccountTable, row: Record<string, unknown>) =>
  client.query(
    `insert into ${table} (${ACCOUNT_COLUMNS[table].join(', ')})
     values (${ACCOUNT_COLUMNS[table].map((_, i) => `$${i + 1}`).join(', ')})
     ${table === 'accounts' ? '' : 'on conflict do nothing'}`,
    ACCOUNT_COLUMNS[table].map((column) => row[fieldOf(column)]),
  )
