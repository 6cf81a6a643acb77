/** Reads the next page of a list. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type Props = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  className?: string
  /** The label of the button. */
  children: ReactNode
}

/** A button that loads the next page; nothing if all rows are loaded. */
export const LoadMore = ({ query, className = 'mt-3', children }: Props) =>
  query.hasNextPage ? (
    <Button
      variant="ghost"
      className={className}
      busy={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </Button>
  ) : null
