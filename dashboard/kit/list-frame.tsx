/** The frame of a page with a list beside the chosen item, and of the page that creates or changes an item. */
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Page } from './page.tsx'
import { Panes } from './panes.tsx'

type ListProps = {
  title: string
  /** True if an item of the list is open. */
  open: boolean
  /** Next to the title. */
  actions?: ReactNode
  /** The search and the filters, below the title. */
  filters?: ReactNode
  list: ReactNode
  detail: ReactNode
}

export const ListFrame = ({ title, open, actions, filters, list, detail }: ListProps) => (
  <Panes
    title={title}
    open={open}
    list={
      <>
        <header className="flex flex-col gap-3 border-b p-4">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="min-w-fit flex-1 text-lg font-semibold">{title}</h1>
            {actions}
          </div>
          {filters}
        </header>
        <div className="pane flex min-h-0 flex-1 flex-col">{list}</div>
      </>
    }
    detail={detail}
  />
)

type EditorProps = {
  title: string
  description: string
  /** The page that its button returns to. */
  back: string
  backLabel: string
  children: ReactNode
}

export function EditorFrame({ title, description, back, backLabel, children }: EditorProps) {
  const navigate = useNavigate()
  return (
    <Page
      wide
      title={title}
      description={description}
      actions={
        <Button variant="ghost" icon={ArrowLeft} onClick={() => void navigate({ to: back })}>
          {backLabel}
        </Button>
      }
    >
      {children}
    </Page>
  )
}
