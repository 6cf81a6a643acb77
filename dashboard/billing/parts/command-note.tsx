import type { ReactNode } from 'react'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { t } from '../texts.ts'

type Props = { kind?: 'info' | 'warn'; command: string; children: ReactNode }

/** Names the command for a setting that only the administrator of the installation can change. */
export const CommandNote = ({ kind = 'info', command, children }: Props) => (
  <Callout kind={kind}>
    <div className="flex flex-col gap-2">
      <p>{children}</p>
      <div className="text-ink-1">
        <CopyField text={command} label={t('copy.command')} />
      </div>
    </div>
  </Callout>
)
