/**
 * Reads the values that automations can use in this workspace: stages, people, tags, fields, templates,
 * numbers, and events.
 */
import { useQuery } from '@tanstack/react-query'
import { tagsQuery } from '../api/tags.ts'
import { fieldsQuery, numbersQuery, teamsQuery } from '../inbox/queries.ts'
import { pipelineQuery } from '../leads/queries.ts'
import { approvedTemplatesQuery } from '../sales/queries.ts'
import { teamQuery } from '../tasks/queries.ts'
import { eventKindsQuery } from '../webhooks/queries.ts'
import type { Catalog } from './fields.ts'
import { allBotsQuery } from './queries.ts'

const asChoice = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

/** Returns undefined while data is loading; data that could not be read is left out. */
export function useCatalog(): Catalog | undefined {
  const pipeline = useQuery(pipelineQuery)
  const team = useQuery(teamQuery)
  const teams = useQuery(teamsQuery)
  const tags = useQuery(tagsQuery)
  const fields = useQuery(fieldsQuery)
  const numbers = useQuery(numbersQuery)
  const templates = useQuery(approvedTemplatesQuery)
  const bots = useQuery(allBotsQuery)
  const kinds = useQuery(eventKindsQuery)
  if (
    [pipeline, team, teams, tags, fields, numbers, templates, bots, kinds].some(({ isPending }) => isPending)
  )
    return undefined
  return {
    stages: (pipeline.data?.stages ?? []).map(asChoice),
    lostReasons: (pipeline.data?.lostReasons ?? []).map(({ id, label }) => ({ value: id, label })),
    team: (team.data ?? []).map(asChoice),
    teams: (teams.data ?? []).map(asChoice),
    tags: (tags.data ?? []).map(({ name }) => name),
    attributes: (fields.data ?? []).map(({ key, label }) => ({ value: key, label })),
    numbers: (numbers.data ?? []).map(({ id, displayName, number }) => ({
      value: id,
      label: displayName || number,
    })),
    templates: templates.data ?? [],
    bots: (bots.data ?? []).map(asChoice),
    examples: Object.fromEntries((kinds.data ?? []).map(({ event, example }) => [event, example])),
  }
}
