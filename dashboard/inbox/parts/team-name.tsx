import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { teamsQuery } from '../queries.ts'

const useTeamName = (id: string): string | undefined =>
  useQuery(teamsQuery).data?.find((team) => team.id === id)?.name

/** Shows the team of a chat in the header, after its member. */
export function TeamName({ id }: { id: string }) {
  const name = useTeamName(id)
  return name === undefined ? null : <span dir="auto">{` · ${name}`}</span>
}

/** Shows the team of a chat in its row. */
export function TeamSign({ id }: { id: string }) {
  const name = useTeamName(id)
  if (name === undefined) return null
  return (
    <span className="flex max-w-24 shrink-0 items-center gap-1 text-xs text-ink-3">
      <Users aria-hidden size={12} className="shrink-0" />
      <span dir="auto" className="truncate">
        {name}
      </span>
    </span>
  )
}
