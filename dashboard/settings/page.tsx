/** How the workspace is set up: a section each, by what the member may change. */
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { type Role, reaches, useHere } from '../api/session.ts'
import { Page } from '../kit/page.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { ContactFields } from './parts/contact-fields.tsx'
import { Log } from './parts/log.tsx'
import { Numbers } from './parts/numbers.tsx'
import { PipelineSettings } from './parts/pipeline.tsx'
import { Replies } from './parts/replies.tsx'
import { SecuritySettings } from './parts/security.tsx'
import { TagsSettings } from './parts/tags.tsx'
import { PlanUsage } from './parts/usage.tsx'
import { WorkspaceSettings } from './parts/workspace.tsx'
import { t } from './words.ts'

const SECTIONS = {
  workspace: { role: 'admin', Part: WorkspaceSettings },
  numbers: { role: 'admin', Part: Numbers },
  pipeline: { role: 'admin', Part: PipelineSettings },
  replies: { role: 'agent', Part: Replies },
  tags: { role: 'agent', Part: TagsSettings },
  fields: { role: 'agent', Part: ContactFields },
  security: { role: 'admin', Part: SecuritySettings },
  'sign-ins': { role: 'admin', Part: () => <Log name="signIns" /> },
  activity: { role: 'admin', Part: () => <Log name="activity" /> },
  usage: { role: 'admin', Part: PlanUsage },
} as const satisfies Record<string, { role: Role; Part: ComponentType }>
type Section = keyof typeof SECTIONS

export default function SettingsPage() {
  const { workspace, section } = useParams({ strict: false }) as { workspace: string; section?: string }
  const here = useHere(workspace)
  const navigate = useNavigate()
  const open = (Object.keys(SECTIONS) as Section[]).filter((one) =>
    reaches(here.member.role, SECTIONS[one].role),
  )
  const shown = open.find((one) => one === section) ?? open[0]!
  const { Part } = SECTIONS[shown]
  return (
    <Page title={t('title')} wide>
      <Tabs
        label={t('sections')}
        tabs={open.map((value) => ({ value, label: t(`section.${value}`) }))}
        value={shown}
        onChange={(next) => void navigate({ to: `/w/${workspace}/settings/${next}` })}
      />
      <div className="pt-6">
        <Part />
      </div>
    </Page>
  )
}
