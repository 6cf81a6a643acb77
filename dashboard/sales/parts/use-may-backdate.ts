import { useParams } from '@tanstack/react-router'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'

/** Returns whether the member may backdate a document. */
export function useMayBackdate(): boolean {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return hasRole(useWorkspaceSession(workspace).member.role, 'admin')
}
