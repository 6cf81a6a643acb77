import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { StatusBadge } from '../../sales/parts/status.tsx'
import { documentQuery } from '../../sales/queries.ts'
import { t } from '../texts.ts'

/** Links to a sales document by its number, with its state. */
export function DocumentLink({ workspace, id }: { workspace: string; id: string }) {
  const { data: document } = useQuery(documentQuery('invoices', id))
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Link
        to={`/w/${workspace}/invoices/${id}` as string}
        className="text-accent underline underline-offset-2"
      >
        {document ? (document.number ?? t('fact.document.draft')) : t('fact.document.open')}
      </Link>
      {document && <StatusBadge document={document} />}
    </span>
  )
}
