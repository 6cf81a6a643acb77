/** Shows the rows of a query in its state: loading, failed, empty, or loaded. */
import type { ReactNode } from 'react'
import { Failed, SkeletonRows } from './states.tsx'

type Props = {
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  rows: readonly unknown[]
  /** Shown if there are no rows. */
  empty: ReactNode
  /** Shown while rows are loading. */
  outline?: ReactNode
  children: ReactNode
}

/** Existing rows stay if they can't be read again. */
export function LoadedRows({ query, rows, empty, outline = <SkeletonRows />, children }: Props) {
  if (query.isPending) return outline
  if (query.isError && rows.length === 0)
    return <Failed error={query.error} onRetry={() => void query.refetch()} />
  return rows.length === 0 ? empty : children
}
