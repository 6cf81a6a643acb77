/** Statements on the identifiers that are kept of erased people (migrations, `erased_ids`). */

import type { Selectable } from 'kysely'
import type { Unit } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

type ErasedIdRow = Selectable<Tables['erasedIds']>

export type Identifier = Pick<ErasedIdRow, 'workspaceId'> & { name: string }
/** An identifier of an erased person, or of their message, edit or call. */
export type ErasedId = Identifier & Pick<ErasedIdRow, 'isPerson' | 'erasedAt' | 'erasureId'>

/** Returns those of the identifiers that were erased. */
export const listErasedIds = (unit: Unit, identifiers: Identifier[]): Promise<ErasedId[]> =>
  unit.tx.sql<ErasedId>(
    `select k.workspace_id, k.name, e.is_person, e.erased_at, e.erasure_id
     from unnest($1::uuid[], $2::text[]) as k (workspace_id, name)
     cross join lateral (
       select * from erased_ids where workspace_id = k.workspace_id and hash = erased_hash($3, k.name) limit 1
     ) e`,
    [
      uuids(identifiers.map(({ workspaceId }) => workspaceId)),
      identifiers.map(({ name }) => name),
      unit.erasureKey,
    ],
  )
