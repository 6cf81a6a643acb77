import type { Context } from '../../../../core/context.ts'
import { instants, texts, uuids } from '../../../../database/sql/binary-arrays.ts'

/** Facts about a contact from an import. */
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

/** Values of custom fields and tags of a contact. */
export type PastDetails = { contactId: string; attributes: Record<string, unknown>; tags: string[] }

/** Adds custom fields and tags to contacts that have room for them. Existing values stay. */
export const fillPastDetailRows = (
  { tx, workspace, now }: Context,
  details: PastDetails[],
  max: { attributes: number; tags: number },
): Promise<unknown> =>
  tx.sql(
    `update contacts c
     set attributes = case when (select count(*) from jsonb_object_keys(d.attributes || c.attributes)) <= $4
           then d.attributes || c.attributes else c.attributes end,
         tags = case when cardinality(t.tags) <= $5 then t.tags else c.tags end, updated_at = $3
     from (
       select (n.item ->> 'contactId')::uuid as id, n.item -> 'attributes' as attributes,
              array(select jsonb_array_elements_text(n.item -> 'tags')) as tags
       from jsonb_array_elements($2::jsonb) as n (item)
     ) d
     join contacts k on k.workspace_id = $1 and k.id = d.id
     cross join lateral (
       select k.tags || array(select x from unnest(d.tags) as x where not x = any (k.tags)) as tags
     ) t
     where c.workspace_id = $1 and c.id = d.id`,
    [
      workspace.id,
      JSON.stringify(
        details.map(({ contactId, attributes, tags }) => ({
          contactId,
          attributes,
          tags: [...new Set(tags)],
        })),
      ),
      now,
      max.attributes,
      max.tags,
    ],
  )
