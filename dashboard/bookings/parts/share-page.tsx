/** Shows the address of the page on which customers book, to copy or to open; or how to turn the page on. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Share2 } from 'lucide-react'
import { hasRole, type WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Popover } from '../../kit/popover.tsx'
import { bookingSettingsQuery } from '../queries.ts'
import { t } from '../texts.ts'

const LINK =
  'inline-flex min-h-6 items-center gap-1 font-medium text-accent hover:underline pointer-coarse:min-h-11'

export function SharePage({ session }: { session: WorkspaceSession }) {
  const { data: settings } = useQuery(bookingSettingsQuery)
  const isAdmin = hasRole(session.member.role, 'admin')
  if (!settings) return null
  return (
    <Popover
      align="end"
      title={t('share')}
      trigger={
        <Button icon={Share2}>
          <span className="max-sm:sr-only">{t('share')}</span>
        </Button>
      }
    >
      <div className="flex flex-col gap-3 p-1">
        <p className="text-ink-2">{t(settings.url ? 'share.text' : 'share.off')}</p>
        {settings.url && (
          <>
            <CopyField text={settings.url} label={t('share.copy')} />
            <a href={settings.url} target="_blank" rel="noreferrer" className={LINK}>
              {t('share.open')}
              <ExternalLink aria-hidden size={14} />
            </a>
          </>
        )}
        {isAdmin && (
          <Link to={`/w/${session.workspace.id}/settings/bookings` as never} className={LINK}>
            {t('share.settings')}
          </Link>
        )}
      </div>
    </Popover>
  )
}
