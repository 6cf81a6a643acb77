/** Shows invoices and quotations: the list, a document, or the editor. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { hasRole, useWorkspaceSession, withModule } from '../../api/session.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { ModulesLink } from '../../shell/modules-link.tsx'
import type { Noun } from '../queries.ts'
import { t } from '../texts.ts'
import { DocumentPage } from './document-page.tsx'
import { SalesList } from './list.tsx'
import { NEW_IDS } from './new-ids.ts'

const NewDocument = lazyComponent(() => import('./new-document.tsx').then((module) => module.NewDocument))

export function SalesPage({ noun }: { noun: Noun }) {
  const { workspace, document: id } = useParams({ strict: false }) as { workspace: string; document?: string }
  const session = useWorkspaceSession(workspace)
  const { workspace: openWorkspace, member } = session
  const navigate = useNavigate()
  if (!openWorkspace.modules.includes('invoicing'))
    return (
      <Empty
        icon={FileText}
        title={t('off')}
        isPage
        action={<ModulesLink session={session}>{t('off.action')}</ModulesLink>}
      >
        <span className="break-words">
          {t('off.text', { workspace, modules: withModule(openWorkspace, 'invoicing') })}
        </span>
      </Empty>
    )
  const listPath = `/w/${workspace}/${noun}`
  const open = (to: string, next: Noun = noun) =>
    void navigate({ to: `/w/${workspace}/${next}/${to}` } as never)
  const toList = () => void navigate({ to: listPath } as never)
  const mayWrite = hasRole(member.role, 'agent')
  if (mayWrite && (id === NEW_IDS.invoice || id === NEW_IDS.proforma))
    return (
      <NewDocument
        key={id}
        kind={noun === 'quotations' ? 'quotation' : id === NEW_IDS.proforma ? 'proforma' : 'invoice'}
        noun={noun}
        onDone={open}
        onBack={toList}
        around={
          <Page title={t(`${noun}.title`)}>
            <SkeletonRows />
          </Page>
        }
      />
    )
  if (id) return <DocumentPage key={id} id={id} noun={noun} role={member.role} open={open} onBack={toList} />
  return <SalesList noun={noun} listPath={listPath} mayWrite={mayWrite} />
}
