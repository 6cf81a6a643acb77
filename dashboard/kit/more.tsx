/** Reads the next page of a list. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type Props = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  className?: string
  /** What it says. */
  children: ReactNode
}

/** A button for what follows; nothing when all of it is there. */
export const More = ({ query, className = 'mt-3', children }: Props) =>
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
