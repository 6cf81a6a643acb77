/** Searches the settings, for their page and for the palette; the index is loaded on request. */
import { queryOptions } from '@tanstack/react-query'

export const settingsIndexQuery = queryOptions({
  queryKey: ['settings-index'],
  queryFn: () => import('./settings/parts/search-index.ts'),
  staleTime: Number.POSITIVE_INFINITY,
  // Functions are not compared.
  structuralSharing: false,
})

/** The address of a result below `/w/{workspace}/`, and its search. */
export const settingPath = ({ id, section }: { id: string; section: string }) => ({
  path: `settings/${section}`,
  search: { find: id },
})
