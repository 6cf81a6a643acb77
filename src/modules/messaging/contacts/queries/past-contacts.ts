import type { Context } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'

/** What an import knows about a contact. */
export type PastFacts = { contactId: string; name: string | null; seenAt: Date | null }

/** Fills names of contacts without one, and raises when they were last seen. The transaction has locked the rows. */
export const fillPastContacts = ({ tx, workspace, now }: Context, facts: PastFacts[]): Promise<unknown> =>
  tx.sql(
    `update contacts c
     set display_name = case when c.display_name is null and c.profile_name is null then n.name else c.display_name end,
         last_seen_at = greatest(c.last_seen_at, n.seen_at), updated_at = $5
     from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as n (id, name, seen_at)
     where c.workspace_id = $1 and c.id = n.id
       and (c.display_name is null and c.profile_name is null and n.name is not null
            or n.seen_at is not null and (c.last_seen_at is null or c.last_seen_at < n.seen_at))`,
    [
      workspace.id,
      uuids(facts.map((fact) => fact.contactId)),
      texts(facts.map((fact) => fact.name)),
      instants(facts.map((fact) => fact.seenAt)),
      now,
    ],
  )
