/** Statements on the gateways of workspaces. */
import type { Selectable } from 'kysely'
import type { Query, Tx, Unit } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, json } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** The importer of the goods, which the operator requires for each item. */
export type Importer = {
  name: string
  address: { line: string; city: string; zone: string; postalCode: string }
}

/** The simulated gateway has no sealed secrets: its secrets are derived. */
export type GatewayRow = Omit<
  Selectable<Tables['paymentGateways']>,
  'provider' | 'importer' | 'connectedAt'
> & {
  provider: 'simulator' | 'razorpay'
  importer: Importer | null
}

const COLUMNS = `workspace_id, provider, key_id, key_secret_sealed, webhook_secret_sealed, configuration, configuration_status,
  importer`

export const findGatewayRow = async (
  query: Query | Tx['sql'],
  workspaceId: string,
): Promise<GatewayRow | undefined> =>
  (
    await query<GatewayRow>(`select ${COLUMNS} from payment_gateways where workspace_id = $1`, [workspaceId])
  )[0]

export const listGatewayRows = (query: Query | Tx['sql']): Promise<GatewayRow[]> =>
  query<GatewayRow>(`select ${COLUMNS} from payment_gateways order by workspace_id`)

/** Connects the gateway, replacing an earlier one. The operator's data about the same configuration stays. */
export const upsertGatewayRow = (
  tx: Tx,
  row: Omit<GatewayRow, 'configurationStatus'>,
  connectedAt: Date,
): Promise<unknown> =>
  tx.sql(
    `insert into payment_gateways
       (workspace_id, provider, key_id, key_secret_sealed, webhook_secret_sealed, configuration, importer, connected_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (workspace_id) do update set
       provider = excluded.provider, key_id = excluded.key_id, key_secret_sealed = excluded.key_secret_sealed,
       webhook_secret_sealed = excluded.webhook_secret_sealed, configuration = excluded.configuration,
       configuration_status = case when payment_gateways.configuration is not distinct from excluded.configuration
         then payment_gateways.configuration_status end,
       importer = excluded.importer, connected_at = excluded.connected_at`,
    [
      row.workspaceId,
      row.provider,
      row.keyId,
      row.keySecretSealed,
      row.webhookSecretSealed,
      row.configuration,
      row.importer && json(row.importer),
      connectedAt,
    ],
  )

/** Disconnects the gateway and returns its provider; undefined if there was none. */
export const deleteGatewayRow = async (tx: Tx, workspaceId: string): Promise<string | undefined> =>
  (
    await tx.first(
      db.deleteFrom('paymentGateways').where('workspaceId', '=', workspaceId).returning('provider'),
    )
  )?.provider

/** Stores the operator's reports of payment configurations in use; the last report of each counts. */
export const updateConfigurationStatuses = (
  unit: Unit,
  rows: { workspaceId: string; name: string; status: string }[],
): Promise<unknown> =>
  unit.tx.sql(
    `update payment_gateways g set configuration_status = u.status
     from (select distinct on (workspace_id, name) * from
             unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as said (workspace_id, name, status, place)
           order by workspace_id, name, place desc) u
     where g.workspace_id = u.workspace_id and g.configuration = u.name`,
    [uuids(rows.map((row) => row.workspaceId)), rows.map((row) => row.name), rows.map((row) => row.status)],
  )
