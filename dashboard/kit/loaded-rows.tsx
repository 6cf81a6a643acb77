/** What was asked of the server, row by row: on its way, failed, empty, or there. */
import type { ReactNode } from 'react'
import { Failed, SkeletonRows } from './states.tsx'

type Props = {
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  rows: readonly unknown[]
  /** In the place of rows where there are none. */
  empty: ReactNode
  /** The outline of what is on its way. */
  outline?: ReactNode
  children: ReactNode
}

/** Rows that were there stay when they cannot be read anew. */
export function LoadedRows({ query, rows, empty, outline = <SkeletonRows />, children }: Props) {
  if (query.isPending) return outline
  if (query.isError && rows.length === 0)
    return <Failed error={query.error} onRetry={() => void query.refetch()} />
  return rows.length === 0 ? empty : children
}
