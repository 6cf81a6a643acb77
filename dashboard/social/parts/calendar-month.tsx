/** Shows a month of posts: a grid if there is room, otherwise a list of the days with posts. */
import type { ReactNode } from 'react'
import type { SocialPost } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { formatDay } from '../../kit/time.tsx'
import { useIsWide } from '../../kit/width.ts'
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'
import { weeksOf } from './calendar-days.ts'

const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'short' })
const noonOf = (day: string): string => `${day}T12:00:00`

type Props = {
  month: string
  today: string
  byDay: ReadonlyMap<string, SocialPost[]>
  postOf: (post: SocialPost) => ReactNode
}

function Grid({ month, today, byDay, postOf }: Props) {
  const weeks = weeksOf(month)
  return (
    <table aria-label={t('calendar.grid')} className="w-full table-fixed border-collapse">
      <thead>
        <tr>
          {weeks[0]!.map((day) => (
            <th key={day} scope="col" className="pb-1 text-start text-xs font-medium text-ink-3">
              {weekday.format(new Date(noonOf(day)))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                className={classes('h-24 border p-1 align-top', !day.startsWith(month) && 'bg-surface-2')}
              >
                <time
                  dateTime={day}
                  aria-current={day === today ? 'date' : undefined}
                  className={classes(
                    'mb-1 inline-flex size-6 items-center justify-center rounded-full text-xs tabular-nums',
                    day === today ? 'bg-accent font-semibold text-on-accent' : 'text-ink-2',
                  )}
                >
                  <span aria-hidden>{Number(day.slice(8))}</span>
                  <span className="sr-only">{formatDay(noonOf(day))}</span>
                </time>
                <Posts posts={byDay.get(day)} postOf={postOf} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Posts = ({ posts = [], postOf }: { posts: SocialPost[] | undefined } & Pick<Props, 'postOf'>) =>
  posts.length > 0 && (
    <ul className="flex flex-col gap-1">
      {posts.map((post) => (
        <li key={post.id} className="min-w-0">
          {postOf(post)}
        </li>
      ))}
    </ul>
  )

const Days = ({ month, today, byDay, postOf }: Props) => (
  <ul aria-label={t('calendar.days')} className="flex flex-col gap-4">
    {[...byDay.keys()]
      .filter((day) => day.startsWith(month))
      .sort()
      .map((day) => (
        <li key={day}>
          <h3
            className={classes('mb-1 text-sm font-semibold', day === today ? 'text-accent' : 'text-ink-2')}
            aria-current={day === today ? 'date' : undefined}
          >
            {formatDay(noonOf(day))}
          </h3>
          <Posts posts={byDay.get(day)} postOf={postOf} />
        </li>
      ))}
  </ul>
)

export const CalendarMonth = (props: Props) => (useIsWide() ? <Grid {...props} /> : <Days {...props} />)
