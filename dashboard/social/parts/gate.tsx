/** Shows the missing requirements of a workspace for the photo network, and who can meet them. */
import { Camera } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Failed } from '../../kit/states.tsx'
import { type GateCode, gateOf } from '../queries.ts'
import { t } from '../texts.ts'

type Workspace = WorkspaceSession['workspace']

function gateTexts(gate: GateCode, { id, plan, sandbox }: Workspace): [title: string, text: string] {
  if (gate === 'social_disabled') return [t('gate.disabled'), t('gate.disabled.text')]
  if (gate === 'not_connected')
    return [t('gate.notConnected'), t('gate.notConnected.text', { workspace: id })]
  if (gate === 'reconnect_required') return [t('gate.reconnect'), t('gate.reconnect.text', { workspace: id })]
  if (sandbox) return [t('gate.sandbox'), t('gate.sandbox.text')]
  return [t('gate.addon'), t(plan === 'free' ? 'gate.addon.free' : 'gate.addon.paid')]
}

type GateProps = { gate: GateCode; workspace: Workspace; action?: ReactNode; isPage?: boolean }

export function Gate({ gate, workspace, action, isPage }: GateProps) {
  const [title, text] = gateTexts(gate, workspace)
  return (
    <Empty icon={Camera} title={title} action={action} isPage={isPage}>
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
