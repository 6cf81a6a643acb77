/** Shows the records of a lead's customer, on the page of the lead. */
import { useQuery } from '@tanstack/react-query'
import { contactQuery } from '../../contacts/queries.ts'
import { CustomerOverview } from './overview.tsx'

type Props = { contactId: string; workspace: string; mayWrite: boolean }

export function CustomerOfLead({ contactId, workspace, mayWrite }: Props) {
  const { data: contact } = useQuery(contactQuery(contactId))
  return (
    contact && (
      <CustomerOverview contact={contact} workspace={workspace} mayWrite={mayWrite} level={2} hasOwnSales />
    )
  )
}
