/** Shows the missing requirements of a workspace for the photo network, and who can meet them. */
import { Link } from '@tanstack/react-router'
import { Camera } from 'lucide-react'
import type { ReactNode } from 'react'
import { hasRole, useWorkspaceSession, type WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Failed } from '../../kit/states.tsx'
import { type GateCode, gateOf } from '../queries.ts'
import { t } from '../texts.ts'

type Workspace = WorkspaceSession['workspace']

const isOfAccount = (gate: GateCode): boolean => gate === 'not_connected' || gate === 'reconnect_required'

function gateTexts(
  gate: GateCode,
  { plan, sandbox }: Workspace,
  isAdmin: boolean,
): [title: string, text: string] {
  const reader = isAdmin ? 'admin' : 'member'
  if (gate === 'social_disabled') return [t('gate.disabled'), t('gate.disabled.text')]
  if (gate === 'not_connected') return [t('gate.notConnected'), t(`gate.notConnected.${reader}`)]
  if (gate === 'reconnect_required') return [t('gate.reconnect'), t(`gate.reconnect.${reader}`)]
  if (sandbox) return [t('gate.sandbox'), t('gate.sandbox.text')]
  return [t('gate.addon'), t(plan === 'free' ? 'gate.addon.free' : 'gate.addon.paid')]
}

type GateProps = { gate: GateCode; workspace: Workspace; action?: ReactNode; isPage?: boolean }

export function Gate({ gate, workspace, action, isPage }: GateProps) {
  const isAdmin = hasRole(useWorkspaceSession(workspace.id).member.role, 'admin')
  const [title, text] = gateTexts(gate, workspace, isAdmin)
  const link = isAdmin && isOfAccount(gate) && (
    <Link
      to={`/w/${workspace.id}/integrations/photo` as string}
      className="font-medium text-accent underline hover:no-underline"
    >
      {t('gate.open')}
    </Link>
  )
  return (
    <Empty
      icon={Camera}
      title={title}
      action={
        link ? (
          <span className="flex flex-wrap items-center justify-center gap-4">
            {action}
            {link}
          </span>
        ) : (
          action
        )
      }
      isPage={isPage}
    >
      <span className="break-words">{text}</span>
    </Empty>
  )
}

/** Returns the missing requirement that is known without a request. */
export function knownGate({ socialAddon, socialEnabled }: Workspace): GateCode | undefined {
  if (!socialAddon) return 'social_addon_required'
  return socialEnabled ? undefined : 'social_disabled'
}

/** Shows a failed request: the missing requirement, otherwise the error. */
export function Refused(props: { error: unknown; workspace: Workspace; onRetry: () => void }) {
  const gate = gateOf(props.error)
  if (!gate) return <Failed error={props.error} onRetry={props.onRetry} />
  return (
    <Gate
      gate={gate}
      workspace={props.workspace}
      action={<Button onClick={props.onRetry}>{t('gate.retry')}</Button>}
    />
  )
}
