/** The log of events as webhooks are told of them; new ones appear by themselves. */
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, ScrollText } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { LoggedEvent } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { onFrame } from '../api/live.ts'
import { call } from '../api/request.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { classes } from '../kit/classes.ts'
import { Json } from '../kit/json.tsx'
import { Select } from '../kit/select.tsx'
import { Empty, Failed, SkeletonRows } from '../kit/states.tsx'
import { formatFull, Time } from '../kit/time.tsx'
import { t } from './words.ts'

const ALL = 'all'
const PAGE = 50

const eventsQuery = (kind: string) =>
  infiniteQueryOptions({
    queryKey: ['event', 'list', kind],
    queryFn: ({ pageParam }) =>
      call('GET /events', {
        query: { limit: PAGE, cursor: pageParam, events: kind === ALL ? undefined : kind },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

const kindsQuery = {
  queryKey: ['event', 'kinds'],
  queryFn: async () => (await call('GET /webhooks/events')).events,
  staleTime: Number.POSITIVE_INFINITY,
}

function Filter({ kind, onChange }: { kind: string; onChange: (kind: string) => void }) {
  const { data: kinds = [] } = useQuery(kindsQuery)
  return (
    <Select
      name={t('filter')}
      value={kind}
      onChange={onChange}
      choices={[
        { value: ALL, label: t('filter.all') },
        ...kinds.map(({ event }) => ({ value: event, label: event })),
      ]}
      className="w-56"
    />
  )
}

type RowProps = { event: LoggedEvent; open: boolean; onOpen: (event: LoggedEvent) => void }

const Row = ({ event, open, onOpen }: RowProps) => (
  <li>
    <button
      type="button"
      onClick={() => onOpen(event)}
      aria-current={open || undefined}
      className={classes(
        'flex h-row w-full items-center gap-3 border-b px-4 text-start focus-visible:-outline-offset-2',
        open ? 'bg-accent-soft' : 'hover:bg-surface-2',
      )}
    >
      <span className="min-w-0 flex-1 truncate font-mono text-sm">{event.event}</span>
      <Time at={event.createdAt} className="shrink-0 text-xs text-ink-3" />
    </button>
  </li>
)

function Detail({ event, onBack }: { event: LoggedEvent; onBack: () => void }) {
  return (
    <div className="pane min-h-0 flex-1 p-4 sm:p-6">
      <header className="mb-4 flex items-start gap-2">
        <span className="md:hidden">
          <IconButton icon={ArrowLeft} label={t('back')} onClick={onBack} />
        </span>
        <div className="min-w-0">
          <h2 className="font-mono text-md font-semibold">{event.event}</h2>
          <p className="text-sm text-ink-2">{formatFull(event.createdAt)}</p>
          <p className="font-mono text-xs text-ink-3">{event.id}</p>
        </div>
      </header>
      <Json value={event.data} label={t('data')} />
    </div>
  )
}

export default function EventLogPage() {
  const [kind, setKind] = useState(ALL)
  const [chosen, setChosen] = useState<LoggedEvent>()
  const query = useInfiniteQuery(eventsQuery(kind))
  const events = query.data?.pages.flatMap((page) => page.events) ?? []
  useEffect(
    () =>
      onFrame(
        ({ changed }) => changed && void queryClient.invalidateQueries({ queryKey: ['event', 'list'] }),
      ),
    [],
  )
  return (
    <div className="flex min-h-0 flex-1">
      <section
        className={classes(
          'flex min-h-0 w-full flex-col border-e md:w-96 md:shrink-0',
          chosen && 'max-md:hidden',
        )}
      >
        <header className="border-b p-4">
          <h1 className="text-lg font-semibold">{t('title')}</h1>
          <p className="mt-1 mb-3 text-sm text-ink-2">{t('description')}</p>
          <Filter kind={kind} onChange={setKind} />
        </header>
        <div className="pane flex min-h-0 flex-1 flex-col">
          {query.isPending ? (
            <SkeletonRows />
          ) : query.isError ? (
            <Failed error={query.error} onRetry={() => void query.refetch()} />
          ) : events.length === 0 ? (
            <Empty icon={ScrollText} title={t('empty')}>
              {t('empty.text')}
            </Empty>
          ) : (
            <>
              <ul aria-label={t('list')}>
                {events.map((event) => (
                  <Row key={event.id} event={event} open={event.id === chosen?.id} onOpen={setChosen} />
                ))}
              </ul>
              {query.hasNextPage && (
                <Button
                  variant="ghost"
                  className="m-3"
                  busy={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {t('more')}
                </Button>
              )}
            </>
          )}
        </div>
      </section>
      <section className={classes('flex min-w-0 flex-1 flex-col', !chosen && 'max-md:hidden')}>
        {chosen ? (
          <Detail event={chosen} onBack={() => setChosen(undefined)} />
        ) : (
          <Empty icon={ScrollText} title={t('choose')} />
        )}
      </section>
    </div>
  )
}
