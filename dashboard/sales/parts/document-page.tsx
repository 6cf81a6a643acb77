/** Shows one document: a draft to edit, or an issued document with its actions. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { hasRole, type Role } from '../../api/session.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { documentQuery, type Noun, type SalesDocument } from '../queries.ts'
import { t } from '../texts.ts'
import { DocumentFrame } from './document-frame.tsx'
import { Issued } from './issued.tsx'

const DraftDocument = lazyComponent(() =>
  import('./draft-document.tsx').then((module) => module.DraftDocument),
)
const Revise = lazyComponent(() => import('./revise.tsx').then((module) => module.Revise))

export type Open = (id: string, noun?: Noun) => void
type Props = { id: string; noun: Noun; role: Role; open: Open; onBack: () => void }

export function DocumentPage({ id, noun, role, open, onBack }: Props) {
  const { data: document, error, refetch } = useQuery(documentQuery(noun, id))
  const [isRevising, setRevising] = useState(false)
  const frame = (content: ReactNode) => (
    <DocumentFrame title={t(`${noun}.title`)} onBack={onBack}>
      {content}
    </DocumentFrame>
  )
  if (!document)
    return frame(
      error instanceof ApiError && error.status === 404 ? (
        <Empty title={t(`${noun}.notFound`)} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows />
      ),
    )
  const context: DocumentPageContext = {
    document,
    noun,
    open,
    onBack,
    mayWrite: hasRole(role, 'agent'),
    isAdmin: hasRole(role, 'admin'),
  }
  if (document.status === 'draft' && context.mayWrite)
    return <DraftDocument {...context} around={frame(<SkeletonRows />)} />
  if (isRevising)
    return <Revise {...context} onBack={() => setRevising(false)} around={frame(<SkeletonRows />)} />
  return <Issued {...context} onRevise={() => setRevising(true)} />
}

export type DocumentPageContext = {
  document: SalesDocument
  noun: Noun
  open: Open
  onBack: () => void
  mayWrite: boolean
  isAdmin: boolean
}
