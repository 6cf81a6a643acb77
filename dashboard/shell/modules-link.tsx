/** Leads an owner to the settings of the modules, from a page whose module is off. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WorkspaceSession } from '../api/session.ts'

type Props = { session: WorkspaceSession; children: ReactNode }

export const ModulesLink = ({ session: { member, workspace }, children }: Props) =>
  member.owner && (
    <Link
      to={`/w/${workspace.id}/settings/usage` as never}
      className="inline-flex min-h-9 items-center rounded-md bg-accent px-3.5 font-medium text-on-accent hover:bg-accent-strong pointer-coarse:min-h-11"
    >
      {children}
    </Link>
  )
