import type { Selectable } from 'kysely'
import type { Tx } from '../../core/context.ts'
import type { Tables } from '../../core/tables.ts'
import type { TemplateStatus } from './schema.ts'

/** A component as the operator holds it. */
export type Component = Record<string, unknown>

/** A stored template. */
export type TemplateRow = Omit<
  Selectable<Tables['templates']>,
  'components' | 'status' | 'parameterFormat' | 'submission'
> & {
  components: Component[]
  status: TemplateStatus
  parameterFormat: 'POSITIONAL' | 'NAMED'
  submission: 'submitting' | 'unconfirmed' | 'submitted'
}

/** What names a template at the operator. */
export type TemplateKey = { workspaceId: string; accountId: string; name: string; language: string }

/** The templates of these names, of any of the transaction's workspaces. */
export const listTemplatesByKey = (tx: Tx, keys: TemplateKey[]): Promise<TemplateRow[]> =>
  tx.sql<TemplateRow>(
    `select t.* from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
       as wanted (workspace_id, account_id, name, language)
     cross join lateral (
       select * from templates where templates.workspace_id = wanted.workspace_id
         and templates.account_id = wanted.account_id and templates.name = wanted.name
         and templates.language = wanted.language limit 1
     ) t`,
    [
      keys.map((key) => key.workspaceId),
      keys.map((key) => key.accountId),
      keys.map((key) => key.name),
      keys.map((key) => key.language),
    ],
  )
