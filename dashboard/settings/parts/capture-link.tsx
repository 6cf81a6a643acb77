import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callDashboard } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Section } from '../../kit/page.tsx'
import { Switch } from '../../kit/switch.tsx'
import type { Workspace } from '../queries.ts'
import { t } from '../texts.ts'
import { useWrite } from '../use-write.ts'

/** Shows the capture link, to which forms on other sites send their leads. */
export function CaptureLink({ workspace }: { workspace: Workspace }) {
  const [isAsking, setAsking] = useState(false)
  const reads = ['workspace']
  const change = useWrite({
    work: (leadCapture: boolean) => callDashboard('PATCH /workspace', { body: { leadCapture } }),
    done: ({ workspace: { leadCapture } }) => t(leadCapture ? 'capture.on' : 'capture.off'),
    reads,
  })
  const renew = useWrite({
    work: () => callDashboard('POST /workspace/capture-token'),
    done: () => t('capture.renewed'),
    reads,
    after: () => setAsking(false),
  })
  return (
    <Section title={t('capture')} description={t('capture.text')}>
      <div className="flex max-w-2xl flex-col items-stretch gap-3">
        <Switch
          label={t('capture.switch')}
          checked={workspace.leadCapture}
          disabled={change.isPending}
          onChange={(leadCapture) => change.mutate(leadCapture)}
        />
        {workspace.leadCapture && (
          <>
            <CopyField text={workspace.captureUrl} label={t('capture.copy')} />
            <div className="flex flex-wrap items-center gap-3">
              <Button onClick={() => setAsking(true)}>{t('capture.renew')}</Button>
              <Link
                className="font-medium text-accent hover:underline"
                to={`/w/${workspace.id}/leads/attention` as never}
              >
                {t('capture.submissions')}
              </Link>
            </div>
          </>
        )}
      </div>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('capture.renew.title')}
        description={t('capture.renew.text')}
        action={t('capture.renew')}
        onConfirm={() => renew.mutate(undefined)}
        busy={renew.isPending}
        danger
      />
    </Section>
  )
}
