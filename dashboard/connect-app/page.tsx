/** Shows the request of an app that wants to act for a member (docs/decisions/assistants.md). */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { messageOf } from '../api/errors.ts'
import { callDashboard } from '../api/request.ts'
import { hasRole, type Session, sessionQuery } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { useIdentityQuestion } from '../shell/confirm.ts'
import { Card } from '../sign-in/parts/card.tsx'
import { AllowForm } from './allow-form.tsx'
import type { AppRequest } from './request.ts'
import { t } from './texts.ts'

const ConfirmIdentity = lazy(() => import('../shell/confirm-identity.tsx'))

/** The app gets its answer at an address of its own; installed apps have their own schemes. */
const open = (url: string) => location.assign(url)

function Asked({ request, session }: { request: AppRequest; session: Session }) {
  const { app, cancelUrl } = request
  const workspaces = session.workspaces.filter(({ role }) => hasRole(role, 'admin'))
  if (workspaces.length === 0)
    return (
      <Card title={t('none')} text={t('none.text', { app: app.name })}>
        <Button onClick={() => open(cancelUrl)}>{t('cancel')}</Button>
      </Card>
    )
  return (
    <Card
      title={t('title', { app: app.name })}
      text={t('text', { app: app.name, name: session.account.name })}
    >
      <AllowForm
        request={request}
        workspaces={workspaces}
        onAllowed={open}
        onCancel={() => open(cancelUrl)}
      />
    </Card>
  )
}

export default function ConnectAppPage() {
  const { data: session } = useSuspenseQuery(sessionQuery(undefined))
  const question = useIdentityQuestion()
  const { data: request, error } = useQuery({
    queryKey: ['app-request', location.search],
    queryFn: () => callDashboard('POST /app-requests', { body: { query: location.search.slice(1) } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(() => {
    if (request?.state === 'refused') open(request.url)
  }, [request])
  if (error)
    return (
      <Card title={t('refused')}>
        <Callout kind="bad" role="alert">
          {messageOf(error)}
        </Callout>
      </Card>
    )
  if (!session || request?.state !== 'asked')
    return (
      <Card title={t('reading')}>
        <SkeletonRows rows={2} />
      </Card>
    )
  return (
    <>
      <Asked request={request} session={session} />
      <Suspense>
        {question && session.member && (
          <ConfirmIdentity question={question} account={session.account} member={session.member} />
        )}
      </Suspense>
    </>
  )
}
