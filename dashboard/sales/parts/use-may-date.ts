import { useParams } from '@tanstack/react-router'
import { reaches, useHere } from '../../api/session.ts'

/** Returns whether the member may backdate a document. */
export function useMayDate(): boolean {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return reaches(useHere(workspace).member.role, 'admin')
}
