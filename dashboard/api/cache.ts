/**
 * What was read is kept by kind: `[kind, 'one', id]`, `[kind, 'list', filter]`, `[kind, 'of', id]` for what hangs on something. The
 * live stream names what changed by kind and id (`live.ts`): the things themselves and the lists of their kind are read again, and
 * whoever keeps more of them adds a rule.
 */
import { QueryClient } from '@tanstack/react-query'
import { isPassing } from './errors.ts'

const MAX_RETRIES = 4

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream says what changes: what is here is true until it says otherwise.
      staleTime: 30_000,
      gcTime: 15 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => isPassing(error) && count < MAX_RETRIES,
      retryDelay: (count) => Math.min(8_000, 400 * 2 ** count) * (0.5 + Math.random()),
    },
  },
})

/** Reads what changed, of one kind; `many`: more than could be named. */
export type ChangeRule = (ids: readonly string[] | 'many') => void | Promise<void>
const rules = new Map<string, Set<ChangeRule>>()

/** Adds what is done besides when things of `kind` change; answers what takes it away again. */
export function onChange(kind: string, rule: ChangeRule): () => void {
  const known = rules.get(kind) ?? new Set()
  rules.set(kind, known.add(rule))
  return () => known.delete(rule)
}

/** The things themselves and the lists of them are read again where they are shown. */
function refresh(kind: string, ids: readonly string[] | 'many'): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [ofKind, part, id] }) =>
      ofKind === kind && (part === 'list' || ids === 'many' || ids.includes(id as string)),
  })
}

/** Applies one frame of the stream. */
export function applyChanges(changed: Record<string, readonly string[] | 'many'>): void {
  for (const [kind, ids] of Object.entries(changed)) {
    refresh(kind, ids)
    for (const rule of rules.get(kind) ?? []) void rule(ids)
  }
}

/** After a gap in the stream: everything that is shown is read again, the rest when it is shown. */
export function resetAll(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'session' })
}
