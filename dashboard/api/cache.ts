/**
 * Caches data under `[kind, 'one', id]`, `[kind, 'list', filter]`, and, for data that depends on an item,
 * `[kind, 'of', id]`. The live stream names changes by kind and ID (`live.ts`); items and rows of lists are
 * then read again by ID (`changes.ts`). Modules that cache more add a rule.
 */
import { QueryClient } from '@tanstack/react-query'
import { openChanges } from './changes.ts'
import { isPassing } from './errors.ts'

export const MAX_RETRIES = 4

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream reports changes: cached data is valid until then.
      staleTime: 30_000,
      gcTime: 15 * 60_000,
      refetchOnWindowFocus: false,
      // The stream continues where it stopped.
      refetchOnReconnect: false,
      retry: (count, error) => isPassing(error) && count < MAX_RETRIES,
      retryDelay: (count) => Math.min(8_000, 400 * 2 ** count) * (0.5 + Math.random()),
    },
  },
})

const changes = openChanges({
  client: queryClient,
  isHidden: () => document.visibilityState === 'hidden',
})
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && changes.seen())

/** Applies one frame of the stream. */
export const applyChanges = changes.apply
/** Runs after a gap in the stream: reads all visible data again, and the rest when it is shown. */
export const resetAll = changes.reset
/** Reads again all data that was read or requested before the stream began. */
export const readSince = changes.readSince
/** Adds further work for changes of a kind. */
export const onChange = changes.onChange
/** Adds how lists are updated by the IDs of their rows; other lists are read again as a whole. */
export const patchLists = changes.patchLists
