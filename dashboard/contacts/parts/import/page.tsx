/** Imports a CSV file: choose, map, dry run, import, and download the rejected rows. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Page } from '../../../kit/page.tsx'
import { ChooseFile } from './choose-file.tsx'
import { ImportPage } from './import-page.tsx'
import { RecentImports } from './recent.tsx'
import { t } from './texts.ts'

export default function ImportsPage({ workspace }: { workspace: string }) {
  const { id } = useSearch({ strict: false }) as { id?: string }
  const navigate = useNavigate()
  const open = (next?: string) =>
    void navigate({ to: `/w/${workspace}/contacts/import`, search: next ? { id: next } : {} } as never)
  return (
    <Page
      title={t('title')}
      description={
        <>
          <Link
            to={`/w/${workspace}/contacts` as never}
            className="mb-1 inline-flex items-center gap-1 text-sm hover:underline"
          >
            <ArrowLeft aria-hidden size={14} className="rtl:-scale-x-100" />
            {t('back')}
          </Link>
          <span className="block">{t('intro')}</span>
        </>
      }
    >
      {id ? (
        <ImportPage key={id} id={id} workspace={workspace} onLeave={() => open()} />
      ) : (
        <>
          <ChooseFile onUploaded={(uploaded) => open(uploaded.id)} />
          <RecentImports onOpen={open} />
        </>
      )}
    </Page>
  )
}
