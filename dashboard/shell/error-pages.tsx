/** Shown instead of a page that can't be opened. */
import { Link } from '@tanstack/react-router'
import { Compass, Lock, ShieldAlert, Unplug } from 'lucide-react'
import { useEffect } from 'react'
import { siteBase } from '../api/address.ts'
import { ApiError } from '../api/errors.ts'
import { Empty, Failed } from '../kit/states.tsx'
import { t } from './texts.ts'

const ANCHOR =
  'inline-flex h-9 items-center rounded-md bg-accent px-3.5 font-medium text-on-accent hover:bg-accent-strong pointer-coarse:min-h-11'

/** A link with a full page load, which leaves the error behind. */
const FullLoadLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} className={ANCHOR}>
    {children}
  </a>
)

export const NotFound = () => (
  <main className="flex h-full flex-col">
    <Empty
      isPage
      icon={Compass}
      title={t('notFound.title')}
      action={<FullLoadLink href={siteBase()}>{t('notFound.action')}</FullLoadLink>}
    />
  </main>
)

export const NoWorkspace = () => (
  <main className="flex h-full flex-col">
    <Empty isPage icon={Unplug} title={t('noWorkspace.title')}>
      {t('noWorkspace')}
    </Empty>
  </main>
)

export function RouteFailed({ error, reset }: { error: unknown; reset?: () => void }) {
  // The page without a network opens by itself when the network is back.
  useEffect(() => {
    if (!(error instanceof ApiError) || error.status !== 0) return
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [error])
  const isRefused = error instanceof ApiError && error.status === 403
  return (
    <main className="flex h-full flex-col">
      {isRefused ? (
        <Empty
          isPage
          icon={Lock}
          title={t('refused.title')}
          action={<FullLoadLink href={siteBase()}>{t('refused.other')}</FullLoadLink>}
        >
          {error.message}
        </Empty>
      ) : (
        <Failed error={error} onRetry={reset ?? (() => location.reload())} />
      )}
    </main>
  )
}

/** A page that the member's role can't open: shows the required role, and who can change it. */
export const RoleRefused = ({ page, role, workspace }: { page: string; role: string; workspace: string }) => (
  <Empty isPage icon={Lock} title={t('refused.role.title', { page })}>
    {t('refused.role', { role, workspace })}
  </Empty>
)

/**
 * Shown instead of all pages except the profile, while the workspace requires a second factor that this
 * session lacks.
 */
export const FactorRefused = ({ profile }: { profile: string }) => (
  <Empty
    isPage
    icon={ShieldAlert}
    title={t('refused.factor.title')}
    action={
      <Link to={profile as never} className={ANCHOR}>
        {t('refused.factor.action')}
      </Link>
    }
  >
    {t('refused.factor')}
  </Empty>
)
