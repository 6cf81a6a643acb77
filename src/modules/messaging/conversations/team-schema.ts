import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { nullableText, requiredText } from '../contacts/schema.ts'

export const ASSIGNMENTS = ['manual', 'round_robin'] as const
/** The maximum of teams in a workspace, of members in a team, and of numbers of a team. */
export const TEAMS_MAX = 100
export const TEAM_MEMBERS_MAX = 100
const TEAM_NUMBERS_MAX = 100
const NAME_MAX = 100
const DESCRIPTION_MAX = 500
const CAPACITY_MAX = 1_000
const CAPACITY = `Must be a whole number from 1 to ${CAPACITY_MAX}.`

const FIELDS = {
  name: 'Name of the team. Unique in the workspace, in any case.',
  description: 'Purpose of the team; null for none.',
  assignment:
    '`round_robin`: new and reopened conversations of the team go to its available members in turn. `manual`: a member or a program assigns them.',
  capacity:
    'Most open conversations with which a member gets another one in turn; null for no limit. Conversations of any team count.',
  phoneNumberIds: 'Your numbers whose new and reopened conversations go to the team if they have none.',
}

export const Team = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    assignment: z.enum(ASSIGNMENTS),
    capacity: z.int().nullable(),
    members: z
      .array(z.object({ id: Id, name: z.string(), available: z.boolean() }))
      .meta({ description: 'Members of the team.' }),
    phoneNumberIds: z.array(Id),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'Team',
    description: 'Members who share conversations.',
    fields: {
      ...FIELDS,
      'members.id': 'Id of the member.',
      'members.name': 'Name of the member.',
      'members.available': 'Whether the member gets conversations in turn; false while they are away.',
    },
  })

const idList = (max: number, nouns: string) =>
  z
    .array(Id.transform((id) => id.toLowerCase()))
    .max(max, `Must have at most ${max} ${nouns}.`)
    .transform((ids) => [...new Set(ids)])

export const NewTeam = z
  .strictObject({
    name: requiredText(NAME_MAX).transform((name) => name.trim().normalize('NFC')),
    description: nullableText(DESCRIPTION_MAX).optional(),
    assignment: z.enum(ASSIGNMENTS, `Must be one of ${ASSIGNMENTS.join(', ')}.`).optional(),
    capacity: z.int(CAPACITY).min(1, CAPACITY).max(CAPACITY_MAX, CAPACITY).nullable().optional(),
    memberIds: idList(TEAM_MEMBERS_MAX, 'members').optional().meta({
      description: 'Ids of the members, as a whole list; see `GET /team`.',
    }),
    phoneNumberIds: idList(TEAM_NUMBERS_MAX, 'numbers').optional(),
  })
  .meta({ fields: FIELDS })
export type NewTeam = z.output<typeof NewTeam>

export const TeamPatch = NewTeam.partial().meta({ fields: FIELDS })
export type TeamPatch = z.output<typeof TeamPatch>

/** Body of `POST /teams/availability`. */
export const Availability = z.strictObject({
  available: z.boolean('Must be true or false.').meta({
    description: 'Whether the member gets conversations of their teams in turn. False: the member is away.',
  }),
  memberId: Id.optional().meta({
    description: 'Id of the member; see `GET /team`. Default: you. Another member needs an admin.',
  }),
})
export type Availability = z.output<typeof Availability>
