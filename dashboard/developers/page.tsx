/** Shows the log of events, as webhooks receive them; new events appear automatically. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, ScrollText } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { LoggedEvent } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { onFrame } from '../api/live.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { IconButton } from '../kit/button.tsx'
import { classes } from '../kit/classes.ts'
import { Code } from '../kit/code.tsx'
import { Json } from '../kit/json.tsx'
import { LoadMore } from '../kit/load-more.tsx'
import { LoadedRows } from '../kit/loaded-rows.tsx'
import { Panes } from '../kit/panes.tsx'
import { Select } from '../kit/select.tsx'
import { Empty } from '../kit/states.tsx'
import { formatFull, Time } from '../kit/time.tsx'
import { curlOf, curlOfApi } from '../webhooks/parts/curl.ts'
import { EventDeliveries } from '../webhooks/parts/event-deliveries.tsx'
import { eventKindsQuery } from '../webhooks/queries.ts'
import { ALL, eventsQuery } from './queries.ts'
import { t } from './texts.ts'

/** A likely address of a program on the developer's own machine. */
const OWN_MACHINE = 'http://localhost:3000/webhooks'

function Filter({ kind, onChange }: { kind: string; onChange: (kind: string) => void }) {
  const { data: kinds = [] } = useQuery(eventKindsQuery)
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

/** Returns the event as a webhook request to the developer's own machine. */
const eventAsCurl = ({ id, event, createdAt, data }: LoggedEvent): string =>
  curlOf({
    method: 'POST',
    url: OWN_MACHINE,
    headers: { 'content-type': 'application/json', 'x-webhook-id': id, 'x-webhook-event': event },
    body: { id, event, createdAt, data },
  })

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mb-6 flex flex-col gap-2">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
)

type DetailProps = { event: LoggedEvent; isAdmin: boolean; onBack: () => void }

function Detail({ event, isAdmin, onBack }: DetailProps) {
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
      <Part title={t('data')}>
        <Json value={event.data} label={t('data')} />
      </Part>
      {isAdmin && (
        <Part title={t('deliveries')}>
          <EventDeliveries key={event.id} eventId={event.id} />
        </Part>
      )}
      <Part title={t('curl')}>
        <p className="text-sm text-ink-2">{t('curl.send')}</p>
        <Code text={eventAsCurl(event)} label={t('curl.send')} />
        <p className="text-sm text-ink-2">{t('curl.read')}</p>
        <Code text={curlOfApi('GET', '/events', { events: event.event })} label={t('curl.read')} />
      </Part>
    </div>
  )
}

export default function EventLogPage() {
  // The kind of events is in the address.
  const { event: kind = ALL } = useSearch({ strict: false }) as { event?: string }
  const navigate = useNavigate()
  const setKind = (event: string) =>
    void navigate({ to: '.', search: event === ALL ? {} : { event }, replace: true } as never)
  const [chosen, setChosen] = useState<LoggedEvent>()
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const isAdmin = hasRole(useWorkspaceSession(workspace).member.role, 'admin')
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
    <Panes
      title={t('title')}
      open={chosen !== undefined}
      list={
        <>
          <header className="border-b p-4">
            <h1 className="text-lg font-semibold">{t('title')}</h1>
            <p className="mt-1 mb-3 text-sm text-ink-2">{t('description')}</p>
            <Filter kind={kind} onChange={setKind} />
          </header>
          <div className="pane flex min-h-0 flex-1 flex-col">
            <LoadedRows
              query={query}
              rows={events}
              empty={
                <Empty icon={ScrollText} title={t('empty')}>
                  {t('empty.text')}
                </Empty>
              }
            >
              <ul aria-label={t('list')}>
                {events.map((event) => (
                  <Row key={event.id} event={event} open={event.id === chosen?.id} onOpen={setChosen} />
                ))}
              </ul>
              <LoadMore query={query} className="m-3">
                {t('more')}
              </LoadMore>
            </LoadedRows>
          </div>
        </>
      }
      detail={
        chosen ? (
          <Detail event={chosen} isAdmin={isAdmin} onBack={() => setChosen(undefined)} />
        ) : (
          <Empty icon={ScrollText} title={t('choose')} />
        )
      }
    />
  )
}
