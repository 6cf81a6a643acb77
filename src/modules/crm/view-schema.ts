import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { SearchText } from '../contacts/schema.ts'
import { LeadFilter } from './lead-filter.ts'
import { Direction, Sort } from './lead-list-schema.ts'
import { GivenName } from './schema.ts'

/** Most saved views of a workspace. */
export const VIEWS_MAX = 200

/** A saved view of leads (docs/decisions/lead-lists.md). */
export const LeadView = z
  .object({
    id: Id,
    name: z.string(),
    filter: LeadFilter.nullable().meta({ description: 'Stages, lost reasons and people by id.' }),
    q: z.string().nullable(),
    sort: Sort.nullable(),
    dir: Direction.nullable(),
    shared: z.boolean().meta({ description: 'False: only the member who saved it sees it.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'LeadView' })

const fields = {
  filter: LeadFilter.nullable().optional(),
  q: SearchText.nullable().optional(),
  sort: Sort.nullable().optional(),
  dir: Direction.nullable().optional(),
}

/** Body of `POST /views`. */
export const NewLeadView = z.strictObject({
  name: GivenName,
  shared: z.boolean('must be true or false').default(true),
  ...fields,
})
export type NewLeadView = z.output<typeof NewLeadView>

/** Body of `PATCH /views/{id}`. */
export const LeadViewPatch = z.strictObject({
  name: GivenName.optional(),
  shared: z.boolean('must be true or false').optional(),
  ...fields,
})
export type LeadViewPatch = z.output<typeof LeadViewPatch>
