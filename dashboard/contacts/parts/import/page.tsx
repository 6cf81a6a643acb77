/** Imports a CSV file: choose, map, dry run, import, and download the rejected rows. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Page } from '../../../kit/page.tsx'
import { ChooseFile } from './choose-file.tsx'
import { ImportPage } from './import-page.tsx'
import { RecentImports } from './recent.tsx'
import { t } from './texts.ts'

export default function ImportsPage({ workspace }: { workspace: string }) {
  // The page of leads asks for `kind`.
  const { id, kind } = useSearch({ strict: false }) as { id?: string; kind?: string }
  const navigate = useNavigate()
  const open = (next?: string) =>
    void navigate({
      to: `/w/${workspace}/contacts/import`,
      search: { ...(kind && { kind }), ...(next && { id: next }) },
    } as never)
  return (
    <Page
      title={t('title')}
      description={
        <>
          <Link
            to={`/w/${workspace}/${kind === 'leads' ? 'leads' : 'contacts'}` as never}
            className="mb-1 inline-flex items-center gap-1 text-sm hover:underline"
          >
            <ArrowLeft aria-hidden size={14} className="rtl:-scale-x-100" />
            {t(kind === 'leads' ? 'back.leads' : 'back')}
          </Link>
          <span className="block">{t('intro')}</span>
        </>
      }
    >
      {id ? (
        <ImportPage
          key={id}
          id={id}
          requestedKind={kind === 'leads' ? kind : 'contacts'}
          workspace={workspace}
          onLeave={() => open()}
        />
      ) : (
        <>
          <ChooseFile onUploaded={(uploaded) => open(uploaded.id)} />
          <RecentImports onOpen={open} />
        </>
      )}
    </Page>
  )
}
