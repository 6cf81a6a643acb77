import { queryOptions, useQuery } from '@tanstack/react-query'
import { readAllRows } from './read-all-rows.ts'
import { call } from './request.ts'

/** Reads all tags of the workspace with their colors. */
export const tagsQuery = queryOptions({
  queryKey: ['tag', 'list'],
  queryFn: () => readAllRows('tags', (query) => call('GET /tags', { query })),
  staleTime: 60_000,
})

const colorsOf = (tags: readonly { name: string; color: string | null }[]): ReadonlyMap<string, string> =>
  new Map(tags.flatMap(({ name, color }) => (color === null ? [] : [[name, color] as const])))

const NO_COLORS: ReadonlyMap<string, string> = new Map()

/** Returns the colors of the tags that have one, by name. */
export const useTagColors = (): ReadonlyMap<string, string> =>
  useQuery({ ...tagsQuery, select: colorsOf }).data ?? NO_COLORS
