import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { t } from '../texts.ts'

type Props = {
  title: ReactNode
  aside?: ReactNode
  actions?: ReactNode
  onBack: () => void
  children: ReactNode
}

/** The page of one document, with a link back to the list. */
export const DocumentFrame = ({ title, aside, actions, onBack, children }: Props) => (
  <div className="pane flex-1">
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8">
      <header className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-3">
        <IconButton icon={ArrowLeft} label={t('action.back')} keys="Escape" onClick={onBack} />
        <h1 className="text-lg font-semibold">{title}</h1>
        {aside}
        {actions && <div className="ms-auto flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  </div>
)
