/** Reads and writes the view of tasks, which is in the address. */
export const GROUPS = ['overdue', 'today', 'upcoming', 'done', 'cancelled'] as const
export type Group = (typeof GROUPS)[number]
export type TasksView = { group: Group; who: string; page: number }

export const EVERYONE = 'all'
export const ME = 'me'

export const readView = (search: Record<string, unknown>): TasksView => ({
  group: GROUPS.find((group) => group === search.group) ?? 'today',
  who: typeof search.who === 'string' ? search.who : ME,
  page: Number.isInteger(search.page) && Number(search.page) > 1 ? Number(search.page) : 1,
})

/** Returns the view for an address: without default values. */
export const searchOf = ({ group, who, page }: TasksView) => ({
  ...(group !== 'today' && { group }),
  ...(who !== ME && { who }),
  ...(page > 1 && { page }),
})
