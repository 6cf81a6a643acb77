/** Shows the integrations of the workspace; the open integration is in the address. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { PackagePlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Integration } from '../../sdk/api.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { BackLink } from '../kit/back-link.tsx'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { lazyComponent, lazyPopup } from '../kit/lazy.tsx'
import { Page } from '../kit/page.tsx'
import { Failed, SkeletonRows } from '../kit/states.tsx'
import { Time } from '../kit/time.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { INTEGRATIONS_COMMANDS } from './commands.ts'
import { Cards } from './parts/cards.tsx'
import { Clicks } from './parts/clicks.tsx'
import { ShopDeliveries } from './parts/deliveries.tsx'
import { Orders } from './parts/orders.tsx'
import { Status } from './parts/status.tsx'
import { integrationsQuery } from './queries.ts'
import { t } from './texts.ts'

const Connection = lazyComponent(() => import('./parts/connection.tsx').then((module) => module.Connection))
const TestOrder = lazyPopup(() => import('./parts/test-order.tsx').then((module) => module.TestOrder))

export default function IntegrationsPage() {
  const { workspace, name } = useParams({ strict: false }) as { workspace: string; name?: string }
  const session = useWorkspaceSession(workspace)
  const navigate = useNavigate()
  const [isTesting, setTesting] = useState(false)
  const { data, error, refetch } = useQuery(integrationsQuery(workspace))
  const isSandbox = session.workspace.sandbox
  const mayTest = isSandbox && hasRole(session.member.role, 'agent')
  const mayEdit = hasRole(session.member.role, 'admin')
  useCommands(
    INTEGRATIONS_COMMANDS,
    {
      mayTest,
      openTestOrder: () => setTesting(true),
      showAll: () => void navigate({ to: `/w/${workspace}/integrations` } as never),
    },
    { title: t },
  )
  const testButton = mayTest && (
    <Button icon={PackagePlus} keys="c" onClick={() => setTesting(true)}>
      {t('try')}
    </Button>
  )
  const integration = data?.find((candidate) => candidate.name === name)
  return (
    <>
      {integration ? (
        <IntegrationPage
          integration={integration}
          workspace={workspace}
          isSandbox={isSandbox}
          mayEdit={mayEdit}
          testButton={testButton}
        />
      ) : (
        <Page wide title={t('title')} description={t('description')}>
          {isSandbox && <SandboxNote workspace={workspace} />}
          {data ? (
            <>
              <Cards integrations={data} workspace={workspace} isSandbox={isSandbox} />
              <Orders workspace={workspace} action={testButton} />
            </>
          ) : error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows tall />
          )}
        </Page>
      )}
      <TestOrder open={isTesting} onClose={() => setTesting(false)} />
    </>
  )
}

const SandboxNote = ({ workspace }: { workspace: string }) => (
  <div className="mb-6">
    <Callout>
      {t('sandbox')}{' '}
      <Link
        to={`/w/${workspace}/integrations/simulator` as string}
        className="font-medium whitespace-nowrap text-accent underline hover:no-underline"
      >
        {t('sandbox.open')}
      </Link>
    </Callout>
  </div>
)

type OneProps = {
  integration: Integration
  workspace: string
  isSandbox: boolean
  mayEdit: boolean
  testButton: ReactNode
}

function IntegrationPage({ integration, workspace, isSandbox, mayEdit, testButton }: OneProps) {
  const { name } = integration
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-2">
          {t(`name.${name}`)}
          <Status integration={integration} isSandbox={isSandbox} />
        </span>
      }
      description={
        <>
          {t(`text.${name}`)}
          {name === 'razorpay' && <span className="block text-sm">{t('razorpay.currency')}</span>}
          {integration.accountName && (
            <span className="block text-sm">{t('photo.connected', { name: integration.accountName })}</span>
          )}
          {integration.lastEventAt && (
            <span className="block text-sm">
              {t('event.last')} <Time at={integration.lastEventAt} />
            </span>
          )}
        </>
      }
      actions={name === 'simulator' && testButton}
    >
      <BackLink to={`/w/${workspace}/integrations`}>{t('back')}</BackLink>
      {!mayEdit && (
        <div className="mb-6">
          <Callout>{t('viewer')}</Callout>
        </div>
      )}
      {isSandbox && name !== 'simulator' ? (
        <>
          {name === 'razorpay' || name === 'photo' ? (
            <div className="mb-6">
              <Callout>{t(`sandbox.${name}`)}</Callout>
            </div>
          ) : (
            <SandboxNote workspace={workspace} />
          )}
          <Clicks name={name} />
        </>
      ) : (
        <>
          <Connection
            key={name}
            integration={integration}
            workspace={workspace}
            mayEdit={mayEdit}
            around={<SkeletonRows tall />}
          />
          {integration.kind === 'store' && integration.status !== 'off' && (
            <ShopDeliveries key={`${name} deliveries`} name={name} />
          )}
        </>
      )}
    </Page>
  )
}
