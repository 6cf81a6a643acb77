/** Leads: a board by stage or a table, and the page of one of them. */
import { useParams } from '@tanstack/react-router'
import { LeadPage } from './parts/lead-page.tsx'
import { LeadList } from './parts/list.tsx'

export default function LeadsPage() {
  const { workspace, lead } = useParams({ strict: false }) as { workspace: string; lead?: string }
  return lead ? <LeadPage key={lead} id={lead} workspace={workspace} /> : <LeadList workspace={workspace} />
}
