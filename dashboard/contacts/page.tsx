/** Contacts: a table of them, and the page of one. */
import { useParams } from '@tanstack/react-router'
import { ContactPage } from './parts/contact-page.tsx'
import { ContactList } from './parts/list.tsx'

export default function ContactsPage() {
  const { workspace, contact } = useParams({ strict: false }) as { workspace: string; contact?: string }
  return contact ? (
    <ContactPage key={contact} id={contact} workspace={workspace} />
  ) : (
    <ContactList workspace={workspace} />
  )
}
