import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { t } from '../words.ts'

/** Reads the next page of a list; nothing when all of it is there. */
export const MoreButton = ({ query }: { query: UseInfiniteQueryResult<InfiniteData<unknown>> }) =>
  query.hasNextPage ? (
    <div className="flex justify-center pt-3">
      <Button onClick={() => void query.fetchNextPage()} busy={query.isFetchingNextPage}>
        {t('more')}
      </Button>
    </div>
  ) : null
