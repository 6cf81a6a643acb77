/** Shows contacts: a table, the page of one contact, and the import. */
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { untilLoaded } from '../kit/lazy.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { ContactPage } from './parts/contact-page.tsx'
import { ContactList } from './parts/list.tsx'
import { contactRows } from './queries.ts'

const ImportsPage = lazy(() => untilLoaded(() => import('./parts/import/page.tsx')))

export const lists = [contactRows]

export default function ContactsPage() {
  const { workspace, contact } = useParams({ strict: false }) as { workspace: string; contact?: string }
  if (contact === 'import')
    return (
      <Suspense fallback={<SkeletonRows />}>
        <ImportsPage workspace={workspace} />
      </Suspense>
    )
  return contact ? (
    <ContactPage key={contact} id={contact} workspace={workspace} />
  ) : (
    <ContactList workspace={workspace} />
  )
}
