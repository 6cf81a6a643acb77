import type { ReactNode } from 'react'
import { Callout } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { t } from '../words.ts'

type Props = { kind?: 'info' | 'warn'; command: string; children: ReactNode }

/** What only whoever runs the installation can change, and by which command. */
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
