/**
 * What was read is kept by kind: `[kind, 'one', id]`, `[kind, 'list', filter]`, `[kind, 'of', id]` for what hangs on something. The
 * live stream names what changed by kind and id (`live.ts`): rows of lists and the things themselves are read again by their ids
 * (`changes.ts`), and whoever keeps more of them adds a rule.
 */
import { QueryClient } from '@tanstack/react-query'
import { openChanges } from './changes.ts'
import { isPassing } from './errors.ts'

const MAX_RETRIES = 4

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream says what changes: what is here is true until it says otherwise.
      staleTime: 30_000,
      gcTime: 15 * 60_000,
      refetchOnWindowFocus: false,
      // The stream goes on where it stopped.
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
/** After a gap in the stream: everything that is shown is read again, the rest when it is shown. */
export const resetAll = changes.reset
/** What was read until now, or is on its way, is read once more: the stream begins only here. */
export const readSince = changes.readSince
/** Adds what is done besides when things of a kind change. */
export const onChange = changes.onChange
/** Says how lists of a kind are brought up to date by the ids of their rows; other lists are read anew. */
export const patchedLists = changes.patchedLists
