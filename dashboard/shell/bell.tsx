/** A link to the notifications, with the number of unread ones. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { unreadQuery } from '../api/notifications.ts'
import { useWorkspaceSession } from '../api/session.ts'
import { classes } from '../kit/classes.ts'
import { Tooltip } from '../kit/tooltip.tsx'
import { type PageValue, plainPath } from '../pages.ts'
import { t } from './texts.ts'

const MAX_SHOWN = 99

type Props = { page: PageValue; workspace: string; className: string; inTabs?: boolean }

export function Bell({ page, workspace, className, inTabs }: Props) {
  const { member } = useWorkspaceSession(workspace)
  const { data: unread = 0 } = useQuery(unreadQuery(member.id))
  const { icon: Icon } = page
  const count = unread > MAX_SHOWN ? `${MAX_SHOWN}+` : String(unread)
  const link = (
    <Link to={`/w/${workspace}/${plainPath(page)}`} className={className}>
      <span className="relative">
        <Icon aria-hidden size={inTabs ? 20 : 18} />
        {unread > 0 && (
          <span
            aria-hidden
            className={classes(
              'absolute -end-1.5 -top-1.5 size-2.5 rounded-full border-2 border-surface-3 bg-accent',
              !inTabs && 'lg:hidden',
            )}
          />
        )}
      </span>
      <span className={classes('truncate', !inTabs && 'flex-1 max-lg:sr-only')}>{t(page.title)}</span>
      {unread > 0 && (
        <span
          className={classes(
            'rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums',
            inTabs ? 'sr-only' : 'max-lg:sr-only',
          )}
        >
          <span className="sr-only">{t('bell.unread')}: </span>
          {count}
        </span>
      )}
    </Link>
  )
  return inTabs ? (
    link
  ) : (
    <Tooltip label={t(page.title)} keys={page.go && `g ${page.go}`}>
      {link}
    </Tooltip>
  )
}
