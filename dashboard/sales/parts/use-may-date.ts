import { useParams } from '@tanstack/react-router'
import { reaches, useHere } from '../../api/session.ts'

/** Whether somebody may date a document back. */
export function useMayDate(): boolean {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return reaches(useHere(workspace).member.role, 'admin')
}
