/**
 * Shows published and scheduled posts by month, in the workspace's time zone. Scheduled posts can be moved with a menu or keys, with undo.
 */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CalendarDays, ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import type { SocialPost } from '../../../sdk/api.ts'
import { hasRole, type Role, type WorkspaceSession } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DayGrid } from '../../kit/day-grid.tsx'
import { DropContext, DropDay } from '../../kit/day-grid-drag.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { isMonth, monthAfter, onDay, weeksOf } from '../../kit/month-days.ts'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { useNow } from '../../kit/time.tsx'
import { localOf } from '../../kit/zone.ts'
import { useCommands } from '../../shell/commands-store.ts'
import { formatLocale } from '../../texts.ts'
import { CALENDAR_COMMANDS } from '../commands.ts'
import { calendarQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { useMovePost } from '../use-move-post.ts'
import { CalendarPost, isWaiting, publishTime } from './calendar-post.tsx'
import { Refused } from './gate.tsx'
import { PostDetail } from './lazy-post-detail.ts'

const NewPost = lazyComponent(() => import('./new-post.tsx').then((module) => module.NewPost))
const MovePost = lazyComponent(() => import('./move-post.tsx').then((module) => module.MovePost))
const monthName = new Intl.DateTimeFormat(formatLocale, { month: 'long', year: 'numeric' })

/** Returns the posts of each day, earliest first. */
function byDayOf(posts: readonly SocialPost[], zone: string): Map<string, SocialPost[]> {
  const timeOf = (post: SocialPost) => publishTime(post) as string
  const sorted = posts.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)))
  return Map.groupBy(sorted, (post) => localOf(zone, timeOf(post)).day)
}

type Props = { month: string | undefined; path: string; workspace: WorkspaceSession['workspace']; role: Role }

export function Calendar({ month: requestedMonth, path, workspace, role }: Props) {
  const zone = workspace.timezone
  const today = localOf(zone, useNow()).day
  const thisMonth = today.slice(0, 7)
  const month = isMonth(requestedMonth) ? requestedMonth : thisMonth
  const navigate = useNavigate()
  const show = (next: string) => void navigate({ to: `${path}/calendar/${next}` } as never)
  const query = useQuery(calendarQuery(month, zone))
  const [focused, setFocused] = useState<string>()
  const [opened, setOpened] = useState<SocialPost>()
  const [movingPost, setMovingPost] = useState<SocialPost>()
  const [writing, setWriting] = useState<{ from?: SocialPost; day?: string }>()
  const mayMove = hasRole(role, 'admin')
  const { move, moveTo, cancel } = useMovePost(month, zone)
  const mayWrite = hasRole(role, 'agent')
  const waiting = query.data?.find((post) => post.id === focused && isWaiting(post))
  useCommands(
    CALENDAR_COMMANDS,
    {
      post: mayMove ? waiting : undefined,
      mayWrite,
      create: () => setWriting({}),
      turnMonth: (by) => show(monthAfter(month, by)),
      movePost: (days) => waiting && move(waiting, days),
      openMoveDialog: () => setMovingPost(waiting),
    },
    { title: t },
  )
  const actions = {
    move,
    moveTo: setMovingPost,
    cancel,
    edit: (from: SocialPost) => setWriting({ from }),
    open: setOpened,
    onFocus: ({ id }: SocialPost) => setFocused(id),
  }
  const drop = (item: unknown, day: string) => {
    const post = item as SocialPost
    const time = post.scheduledAt as string
    if (localOf(zone, time).day !== day) moveTo(post, onDay(zone, time, day))
  }
  return (
    <div className="pane flex-1 px-4 py-4 sm:px-6">
      <header className="mb-3 flex flex-wrap items-center gap-2">
        <h2 className="min-w-40 text-md font-semibold" aria-live="polite">
          {monthName.format(new Date(`${month}-15T12:00:00`))}
        </h2>
        <IconButton
          icon={ChevronLeft}
          label={t('action.monthBefore')}
          keys="["
          onClick={() => show(monthAfter(month, -1))}
        />
        <IconButton
          icon={ChevronRight}
          label={t('action.monthAfter')}
          keys="]"
          onClick={() => show(monthAfter(month, 1))}
        />
        <Button disabled={month === thisMonth} onClick={() => show(thisMonth)}>
          {t('calendar.today')}
        </Button>
        {mayWrite && (
          <div className="ms-auto">
            <Button variant="primary" icon={Plus} keys="c" onClick={() => setWriting({})}>
              {t('posts.create')}
            </Button>
          </div>
        )}
      </header>
      {query.isPending ? (
        <SkeletonRows />
      ) : query.isError ? (
        <Refused error={query.error} workspace={workspace} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <p className="mb-3 text-sm text-ink-3">
            {t('calendar.zone', { zone })} {!mayMove && t('calendar.hint.admins')}
            {mayMove && (
              <>
                <span className="max-md:hidden pointer-coarse:hidden">{t('calendar.hint.drag')}</span>
                <span className="hidden md:pointer-coarse:inline">{t('calendar.hint.touch')}</span>
                <span className="md:hidden">{t('calendar.hint.tap')}</span>
              </>
            )}
          </p>
          <DropContext value={mayMove ? drop : undefined}>
            <DayGrid
              gridLabel={t('calendar.grid')}
              listLabel={t('calendar.days')}
              weeks={weeksOf(month)}
              isInside={(day) => day.startsWith(month)}
              today={today}
              byDay={byDayOf(query.data, zone)}
              keyOf={({ id }) => id}
              cell={DropDay}
              create={
                mayMove
                  ? {
                      label: (day) => t('calendar.createOn', { day }),
                      onCreate: (day) => setWriting({ day }),
                    }
                  : undefined
              }
              itemOf={(post) => (
                <CalendarPost
                  post={post}
                  at={publishTime(post) as string}
                  workspace={workspace}
                  mayMove={mayMove}
                  actions={actions}
                />
              )}
            />
          </DropContext>
          {query.data.length === 0 && (
            <Empty icon={CalendarDays} title={t('calendar.empty')}>
              {t('posts.empty.text')}
            </Empty>
          )}
        </>
      )}
      {movingPost && (
        <MovePost
          key={movingPost.id}
          post={movingPost}
          zone={zone}
          onMove={moveTo}
          onClose={() => setMovingPost(undefined)}
        />
      )}
      {opened && (
        <PostDetail post={{ own: opened }} workspace={workspace} onClose={() => setOpened(undefined)} />
      )}
      {writing && (
        <NewPost
          from={writing.from}
          isEdit={writing.from !== undefined}
          day={writing.day}
          workspace={workspace}
          mayPublish={mayMove}
          open
          onClose={() => setWriting(undefined)}
        />
      )}
    </div>
  )
}
