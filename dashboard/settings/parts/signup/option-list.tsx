import { ChevronRight } from 'lucide-react'

type Option = { id: string; title: string; text?: string | null }
type Props = { label: string; options: Option[]; isBusy: boolean; onChoose: (id: string) => void }

/** Shows choices, each of which starts its action. */
export const OptionList = ({ label, options, isBusy, onChoose }: Props) => (
  <ul aria-label={label} className="flex flex-col gap-2">
    {options.map(({ id, title, text }) => (
      <li key={id}>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => onChoose(id)}
          className="flex min-h-14 w-full items-center gap-3 rounded-lg border bg-surface-1 px-4 py-3 text-start hover:bg-surface-2 disabled:opacity-50"
        >
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{title}</span>
            {text && <span className="block text-sm text-ink-2">{text}</span>}
          </span>
          <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-3 rtl:-scale-x-100" />
        </button>
      </li>
    ))}
  </ul>
)
